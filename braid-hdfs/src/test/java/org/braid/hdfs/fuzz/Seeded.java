package org.braid.hdfs.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.braid.code.SubBlock;
import org.braid.hdfs.proto.BraidProtos.CellsProto;
import org.braid.hdfs.proto.BraidProtos.CombineOpProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.ParityProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.ReceiveOpProto;
import org.braid.hdfs.proto.BraidProtos.SendOpProto;
import org.braid.hdfs.proto.BraidProtos.StoreOpProto;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.FrameWriter;
import org.braid.hdfs.rpc.TestTokens;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;

/** What honest senders send. */
final class Seeded {
  /** Bytes of the streams. */
  static final int STREAM = 300;

  private static final Path STRIPES = Path.of("src/test/resources/stripes");
  private static final BlockIdentity BLOCK = new BlockIdentity(1L << 30, 1001, 5000);

  private Seeded() {}

  /** The attributes of the frozen stripes. */
  static List<byte[]> attributes() {
    try (Stream<Path> files = Files.list(STRIPES)) {
      List<byte[]> attributes = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        int line = String.valueOf(file.getFileName()).startsWith("v1-") ? 0 : 1;
        attributes.add(HexFormat.of().parseHex(Files.readAllLines(file).get(line)));
      }
      return attributes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Audit logs as NameNodes write them, compressed or not. */
  static List<byte[]> auditLogs() {
    String tail = "\tdst=/a/c\tperm=ann:users:rw-r--r--\tproto=rpc\n";
    String log =
        "2026-10-25 02:11:12,345 INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:TOKEN)"
            + "\tip=/10.0.0.7\tcmd=open\tsrc=/a/b\\u00E4\\tc"
            + tail
            + "2026-10-25 02:01:12,345 INFO FSNamesystem.audit: allowed=true\tugi=ann\tip=/::1"
            + "\tcmd=rename (options=[OVERWRITE])\tsrc=/.reserved/.inodes/12"
            + tail;
    byte[] plain = log.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of(plain, compressed.toByteArray());
  }

  /** Bytes as text. */
  static List<byte[]> texts(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  /** Messages as a stream has them. */
  static List<byte[]> delimited() {
    return Stream.of(
            StreamRequestProto.newBuilder().setRun("run").setStream(3).build(),
            StreamStatusProto.newBuilder().setHost("host").setError("why").build())
        .map(Seeded::withLength)
        .toList();
  }

  private static byte[] withLength(MessageLite message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      message.writeDelimitedTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** A stream that ends, and one that is given up. */
  static List<byte[]> streams() {
    return List.of(stream(true), stream(false));
  }

  private static byte[] stream(boolean whole) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      StreamStatusProto.newBuilder().setHost("sender").build().writeDelimitedTo(out);
      FrameWriter frames = new FrameWriter(out);
      frames.write(ByteBuffer.wrap(new byte[whole ? STREAM - 100 : 100]), bytes -> {});
      if (whole) {
        frames.write(ByteBuffer.wrap(new byte[100]), bytes -> {});
        frames.end();
      } else {
        frames.abort("the disk is gone");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Fragments of whole blocks and of sub-blocks. */
  static List<byte[]> fragments() {
    ExecuteRequestProto request =
        ExecuteRequestProto.newBuilder()
            .setRun("run")
            .setNode(2)
            .setLength(5000)
            .setSlice(1024)
            .addPeers(PeerProto.newBuilder().setNode(7).setHost("h").setPort(9))
            .addOps(
                OpProto.newBuilder()
                    .setRead(
                        ReadOpProto.newBuilder()
                            .setValue(1)
                            .setSource(FragmentCodec.subBlock(new SubBlock(0, 0)))
                            .setBlock(StripeCodec.toProto(BLOCK))
                            .setOffset(0)))
            .addOps(
                OpProto.newBuilder().setReceive(ReceiveOpProto.newBuilder().setValue(2).setFrom(7)))
            .addOps(
                OpProto.newBuilder()
                    .setCombine(
                        CombineOpProto.newBuilder()
                            .addOutputs(3)
                            .addInputs(1)
                            .addInputs(2)
                            .setCoefficients(ByteString.copyFrom(new byte[] {1, 5}))))
            .addOps(
                OpProto.newBuilder()
                    .setSend(SendOpProto.newBuilder().setValue(3).setStream(3).setTo(8)))
            .addOps(
                OpProto.newBuilder()
                    .setStore(
                        StoreOpProto.newBuilder()
                            .setValue(3)
                            .setTarget(FragmentCodec.subBlock(new SubBlock(4, 0)))
                            .setParity(ParityProto.newBuilder().setPath("/p"))))
            .build();
    ExecuteRequestProto cells =
        request.toBuilder()
            .clearOps()
            .addOps(request.getOps(0))
            .setCells(CellsProto.newBuilder().setAlpha(4).setCell(512).setUnit(5120))
            .build();
    return List.of(request.toByteArray(), cells.toByteArray());
  }

  /** A stripe's, a file's and a DataNode's, each behind a byte that says which. */
  static List<byte[]> statuses() {
    List<Replica> replicas = List.of(new Replica("uuid", false, false, true, "SSD"));
    BlockStatus block = new BlockStatus(BLOCK, replicas, 3, true, List.of("uuid"));
    StoragePolicy policy = new StoragePolicy("W", "DISK", List.of("SSD"), List.of("ARCHIVE"));
    List<byte[]> statuses = new ArrayList<>();
    for (byte[] attribute : attributes()) {
      if (attribute[0] != 0) {
        Stripe stripe = stripe(attribute);
        MemberStatus member =
            new MemberStatus(
                block, "/f", 6, false, false, 3, false, false, ByteString.EMPTY, policy);
        List<MemberStatus> members = Collections.nCopies(stripe.size(), member);
        StripeStatus status = new StripeStatus(stripe, "/p", 5, members);
        statuses.add(tagged(0, StatusCodec.toProto(status)));
      }
    }
    StoredFile.Usage usage = new StoredFile.Usage("ann", 1, 2);
    StoredFile file =
        new StoredFile(
            "/f",
            6,
            5000,
            5000,
            3,
            List.of(block),
            List.of("o"),
            "r",
            Optional.of("rs-3-2"),
            usage,
            policy);
    statuses.add(tagged(1, StatusCodec.toProto(file)));
    Datanode node =
        Datanode.builder("u")
            .host("h")
            .ip("10.0.0.1")
            .ipcPort(1)
            .transferPort(2)
            .rack("/r")
            .remaining(3)
            .heartbeatAgeMillis(4)
            .unreportedMillis(5)
            .upgradeDomain("d")
            .blockPool("BP-1")
            .storages(Map.of("ARCHIVE", 5L))
            .build();
    statuses.add(tagged(2, StatusCodec.toProto(node)));
    return statuses;
  }

  private static Stripe stripe(byte[] attribute) {
    try {
      return StripeCodec.of(StripeProto.parseFrom(attribute));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] tagged(int kind, MessageLite message) {
    byte[] bytes = message.toByteArray();
    byte[] tagged = new byte[bytes.length + 1];
    tagged[0] = (byte) kind;
    System.arraycopy(bytes, 0, tagged, 1, bytes.length);
    return tagged;
  }

  /** Block tokens. */
  static List<byte[]> tokens() {
    return Stream.of(false, true)
        .map(newer -> TestTokens.token(TestTokens.identity(newer)).toByteArray())
        .toList();
  }
}
