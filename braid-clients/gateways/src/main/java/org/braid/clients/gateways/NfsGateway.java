package org.braid.clients.gateways;

import org.apache.hadoop.hdfs.nfs.conf.NfsConfiguration;
import org.apache.hadoop.hdfs.nfs.nfs3.Nfs3;

/** HDFS's NFS gateway, which does not tell the machine's port mapper of itself. */
public final class NfsGateway {
  private NfsGateway() {}

  /** Serves until it is ended; its configuration is on the class path. */
  public static void main(String[] args) throws Exception {
    new Nfs3(new NfsConfiguration()).startServiceInternal(false);
    System.out.println("> serving");
  }
}
