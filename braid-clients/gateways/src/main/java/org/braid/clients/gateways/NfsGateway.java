package org.braid.clients.gateways;

import org.apache.hadoop.hdfs.nfs.conf.NfsConfiguration;
import org.apache.hadoop.hdfs.nfs.nfs3.Nfs3;

/** HDFS's NFS gateway, without registration at the machine's port mapper. */
public final class NfsGateway {
  private NfsGateway() {}

  /** Serves until the process ends; its configuration is on the class path. */
  public static void main(String[] args) throws Exception {
    new Nfs3(new NfsConfiguration()).startServiceInternal(false);
    System.out.println("> serving");
  }
}
