package org.braid.clients;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files over NFS 3 (RFC 1813) without mounting anything. */
final class NfsReader implements Closeable {
  private static final int MOUNT = 100005;
  private static final int MOUNT_MNT = 1;
  private static final int NFS = 100003;
  private static final int NFS_LOOKUP = 3;
  private static final int NFS_READ = 6;
  private static final int ATTRIBUTES = 84;
  private static final int CHUNK = 32 << 10;

  private final Socket socket;
  private final byte[] root;
  private int calls;

  /** Asks for the root of what is exported. */
  NfsReader(int mountPort, int nfsPort) throws IOException {
    try (Socket mount = new Socket(InetAddress.getLoopbackAddress(), mountPort)) {
      ByteBuffer answer = call(mount, MOUNT, MOUNT_MNT, out -> opaque(out, bytes("/")));
      check("mount", answer.getInt());
      root = opaque(answer);
    }
    socket = new Socket(InetAddress.getLoopbackAddress(), nfsPort);
  }

  /** The content of a file. */
  byte[] read(String path) throws IOException {
    byte[] handle = root;
    for (String name : path.substring(1).split("/")) {
      handle = lookUp(handle, name);
    }
    byte[] file = handle;
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    boolean end = false;
    while (!end) {
      ByteBuffer answer =
          call(
              socket,
              NFS,
              NFS_READ,
              out -> {
                opaque(out, file);
                out.writeLong(content.size());
                out.writeInt(CHUNK);
              });
      check("read of " + path + " at " + content.size(), answer.getInt());
      skipAttributes(answer);
      int count = answer.getInt();
      end = answer.getInt() != 0;
      byte[] chunk = opaque(answer);
      if (chunk.length != count || (count == 0 && !end)) {
        throw new IOException("%d bytes instead of %d of %s".formatted(chunk.length, count, path));
      }
      content.write(chunk);
    }
    return content.toByteArray();
  }

  private byte[] lookUp(byte[] directory, String name) throws IOException {
    ByteBuffer answer =
        call(
            socket,
            NFS,
            NFS_LOOKUP,
            out -> {
              opaque(out, directory);
              opaque(out, bytes(name));
            });
    check("lookup of " + name, answer.getInt());
    return opaque(answer);
  }

  private interface Arguments {
    void write(DataOutputStream out) throws IOException;
  }

  /** A call of version 3 of a program as the user of this process, and what follows its header. */
  private ByteBuffer call(Socket to, int program, int procedure, Arguments arguments)
      throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(message);
    out.writeInt(++calls);
    out.writeInt(0); // a call
    out.writeInt(2); // of this version of the protocol
    out.writeInt(program);
    out.writeInt(3);
    out.writeInt(procedure);
    out.writeInt(1); // AUTH_SYS
    opaque(out, credentials());
    out.writeInt(0); // no verifier
    out.writeInt(0);
    arguments.write(out);

    DataOutputStream sent = new DataOutputStream(to.getOutputStream());
    sent.writeInt(message.size() | 0x80000000);
    message.writeTo(sent);
    sent.flush();
    DataInputStream in = new DataInputStream(to.getInputStream());
    byte[] received = new byte[0];
    boolean last = false;
    while (!last) {
      int head = in.readInt();
      last = head < 0;
      received = joined(received, in.readNBytes(head & 0x7fffffff));
    }
    ByteBuffer answer = ByteBuffer.wrap(received);
    check("number of the answer", answer.getInt() - calls);
    check("kind of message", answer.getInt() - 1);
    check("call", answer.getInt());
    answer.getInt(); // the verifier's kind
    opaque(answer);
    check("call", answer.getInt());
    return answer;
  }

  private static byte[] credentials() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0);
    opaque(out, bytes("localhost"));
    Path own = Path.of("").toAbsolutePath();
    out.writeInt((Integer) Files.getAttribute(own, "unix:uid"));
    out.writeInt((Integer) Files.getAttribute(own, "unix:gid"));
    out.writeInt(0); // no further groups
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[] one, byte[] other) {
    return ByteBuffer.allocate(one.length + other.length).put(one).put(other).array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void opaque(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
    out.write(new byte[-bytes.length & 3]);
  }

  private static byte[] opaque(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    in.position(in.position() + (-bytes.length & 3));
    return bytes;
  }

  private static void skipAttributes(ByteBuffer in) {
    if (in.getInt() != 0) {
      in.position(in.position() + ATTRIBUTES);
    }
  }

  private static void check(String what, int status) throws IOException {
    if (status != 0) {
      throw new IOException(what + " failed: " + status);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
