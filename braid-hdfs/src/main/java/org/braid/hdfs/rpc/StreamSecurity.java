package org.braid.hdfs.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/** HDFS's own handshake on a new connection to a DataNode; does nothing where security is off. */
@FunctionalInterface
public interface StreamSecurity {
  /** Makes the handshake and returns the streams to use afterwards. */
  IOStreamPair secure(Socket socket, OutputStream out, InputStream in) throws IOException;

  /** No handshake: for clusters without security and without encryption of data. */
  static StreamSecurity none() {
    return (socket, out, in) -> new IOStreamPair(in, out);
  }

  /**
   * The handshake of HDFS's data transfer.
   *
   * @param token any valid block token of the cluster, where there are any
   * @param port the DataNode's transfer port: a privileged one is trusted without a handshake
   */
  static StreamSecurity sasl(
      SaslDataTransferClient client,
      DataEncryptionKeyFactory keys,
      Token<BlockTokenIdentifier> token,
      int port) {
    return (socket, out, in) -> {
      String ip = socket.getInetAddress().getHostAddress();
      DatanodeID node = new DatanodeID(ip, ip, "", port, 0, 0, 0);
      return client.socketSend(socket, out, in, keys, token, node);
    };
  }

  /** The handshake as an HDFS client does it. */
  static StreamSecurity client(DFSClient client, Token<BlockTokenIdentifier> token, int port) {
    return renewing(
        sasl(client.getSaslDataTransferClient(), client, token, port),
        client::clearDataEncryptionKey);
  }

  /**
   * A handshake that forgets its key when the DataNode does not know it: the client caches a key
   * for hours, and NameNode and DataNode may have restarted since.
   *
   * @param forget makes the next handshake request another key
   */
  static StreamSecurity renewing(StreamSecurity security, Runnable forget) {
    return (socket, out, in) -> {
      try {
        return security.secure(socket, out, in);
      } catch (InvalidEncryptionKeyException e) {
        forget.run();
        throw e;
      }
    };
  }
}
