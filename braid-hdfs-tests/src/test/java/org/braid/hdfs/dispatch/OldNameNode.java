package org.braid.hdfs.dispatch;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;

/** A NameNode of an earlier version, which does not see that it may judge what it lists. */
public final class OldNameNode {
  private OldNameNode() {}

  /** A link to the NameNodes of a file system that seem to be such ones. */
  public static NameNodeLink link(URI uri, Configuration conf) throws IOException {
    return new NameNodeLink(
        uri, conf, (clientConf, address) -> old(Rpc.nameNode(clientConf, address)), Ticker.SYSTEM);
  }

  private static BraidNameNodePB old(BraidNameNodePB stub) {
    return (BraidNameNodePB)
        Proxy.newProxyInstance(
            OldNameNode.class.getClassLoader(),
            new Class<?>[] {BraidNameNodePB.class, Closeable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                Rpc.stop(stub);
                return null;
              }
              for (int i = 0; arguments != null && i < arguments.length; i++) {
                if (arguments[i] instanceof FilesRequestProto request) {
                  arguments[i] = request.toBuilder().clearBriefly().build();
                } else if (arguments[i] instanceof StripesRequestProto request) {
                  arguments[i] =
                      request.toBuilder().clearSummed().clearBefore().clearUnsoundOn().build();
                }
              }
              try {
                return method.invoke(stub, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
