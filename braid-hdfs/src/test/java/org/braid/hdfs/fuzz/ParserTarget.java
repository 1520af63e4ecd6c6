package org.braid.hdfs.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.braid.engine.SliceSource;
import org.braid.hdfs.namenode.files.EnabledCodes;
import org.braid.hdfs.namenode.host.NodeTraffic;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Glob;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.KnownReadsJson;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicyJson;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.policy.ReadScopes;
import org.braid.hdfs.policy.Window;
import org.braid.hdfs.policy.audit.AuditLogReader;
import org.braid.hdfs.policy.audit.LastUses;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.HeartbeatProto;
import org.braid.hdfs.proto.BraidProtos.SentProto;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.Delimited;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.Heartbeats;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.SentStream;
import org.braid.hdfs.setting.EarSetting;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeAttribute;
import org.braid.testing.FuzzTarget;
import org.braid.testing.HostileParser;

/** Parsers of bytes from the network, from attributes and from what users write. */
enum ParserTarget implements FuzzTarget {
  /** Attributes as they are, of whichever stripe they describe. */
  ATTRIBUTE(ParserTarget::attribute, Seeded.attributes(), InvalidProtocolBufferException.class),

  /** Attributes with a check that fits: what stands behind it is reached. */
  CHECKED_ATTRIBUTE(
      input -> read(Known.ID, StripeAttribute.checked(Known.ID, input)),
      Seeded.attributes().stream().map(ParserTarget::withoutCheck).toList(),
      InvalidProtocolBufferException.class),

  DELIMITED(ParserTarget::delimited, Seeded.delimited(), IOException.class),

  FRAGMENT(ParserTarget::fragment, Seeded.fragments(), IOException.class),

  HEARTBEAT(
      input -> {
        HeartbeatProto beat =
            HeartbeatProto.parser().parseFrom(input, 0, Math.min(Heartbeats.LARGEST, input.length));
        new NodeTraffic(() -> 0).heard(beat.getUuid(), beat.getTraffic());
      },
      List.of(
          HeartbeatProto.newBuilder().setUuid("uuid").build().toByteArray(),
          HeartbeatProto.newBuilder()
              .setUuid("uuid")
              .setTraffic(
                  TrafficProto.newBuilder()
                      .setRun(5)
                      .addSent(
                          SentProto.newBuilder()
                              .setCause("repair")
                              .setLink("in_rack")
                              .setBytes(1L << 40))
                      .setClientRead(77))
              .build()
              .toByteArray()),
      IOException.class),

  BLOCK_TOKEN(ParserTarget::blockToken, Seeded.tokens(), IOException.class),

  STREAM(ParserTarget::stream, Seeded.streams(), IOException.class),

  STATUS(ParserTarget::status, Seeded.statuses(), IOException.class),

  EAR_SETTING(
      input -> {
        String text = text(input);
        Known.ENABLED.check(EarSetting.code(text));
        EarSetting.parse(text);
      },
      Seeded.texts(
          "rs-10-4",
          "rs-6-3,c=1,racks=7,across,policy=ear,layout=hdfs",
          "lrc-12-2-2, placement=code-aware",
          "clay-4-2-5",
          "hitchhiker-xor-6-3",
          "flr-n6-g1-l2",
          "rotated-rs-4-2-4"),
      IllegalArgumentException.class),

  POLICIES(
      input -> {
        PolicyDocument read = PolicyJson.read(text(input));
        assertEquals(read, PolicyJson.read(PolicyJson.write(read)));
      },
      List.of(policies()),
      IllegalArgumentException.class),

  GLOB(
      input -> {
        Glob glob = Glob.parse(text(input));
        for (String path : List.of("/", "/a/b/c", "/" + "a".repeat(200), "/a".repeat(500))) {
          glob.matches(path);
        }
      },
      Seeded.texts(
          "/", "/logs/**", "/a/*.log", "/{x,y}/[a-z]?[!0-9]", "/**/a*b*c/**/\\*", "/a*a*a*a*b"),
      IllegalArgumentException.class),

  AUDIT_LOG(
      input -> {
        LastUses uses = new LastUses(ReadScopes.all(), Duration.ofHours(2), Known.NOW, 1 << 20);
        AuditLogReader.read(new ByteArrayInputStream(input), ZoneId.of("Europe/Berlin"), uses);
        uses.of("/a/b", 1);
        if (!uses.coverage().isEmpty()) {
          KnownReads known = KnownReads.NONE.importing(uses.coverage(), uses.scopes()).known();
          assertEquals(known, KnownReadsJson.read(KnownReadsJson.write(known)));
        }
      },
      Seeded.auditLogs(),
      IOException.class),

  KNOWN_READS(
      input -> {
        KnownReads read = KnownReadsJson.read(input);
        assertEquals(read, KnownReadsJson.read(KnownReadsJson.write(read)));
      },
      Seeded.texts(
          "{\"format\":1,\"until\":\"2026-11-25T10:00:00Z\",\"since\":{\"/\":\"2026-01-01T00:00:00Z\"}}",
          """
          {"until": "2026-11-25T10:00:00.123456789+01:00", "since": {"/logs/**": "2026-01-01T00:00:00Z",
            "/\\u00e4/*": "1970-01-01T00:00:00Z"}, "format": 1}
          """,
          "{\"format\":1,\"until\":\"9999-12-31T23:59:59.999Z\",\"since\":{}}"),
      IllegalArgumentException.class),

  SCRUB_RECORD(
      input -> {
        ScrubRecord read = ScrubRecord.parse(input);
        assertEquals(read, ScrubRecord.parse(read.bytes()));
        read.oldestMillis(Known.NOW.toEpochMilli());
      },
      List.of(
          ScrubRecord.NONE.bytes(),
          ScrubRecord.NONE
              .withLast(ScrubRecord.Round.from(1, 2).ended(3))
              .with(ScrubRecord.Round.from(4, 5).at(Known.ID, 6, 7, 8).compared(9, 10))
              .bytes()),
      IllegalArgumentException.class),

  WINDOW(
      input -> {
        String[] parts = text(input).split(" ", 2);
        Window window = Window.parse(parts[0], parts[parts.length - 1]);
        window.opening(Known.NOW);
      },
      Seeded.texts("22:00-06:00 Europe/Berlin", "01:30-02:30 UTC", "00:00-23:59 +18:00"),
      IllegalArgumentException.class),

  MOMENT(
      input -> Moments.parse(text(input), ZoneOffset.UTC, Known.NOW),
      Seeded.texts(
          "06:00", "2026-12-24", "2026-12-24T06:00", "2026-12-24T06:00:00Z", "8h", "999999999d"),
      IllegalArgumentException.class);

  @SuppressWarnings("ImmutableEnumChecker") // nobody changes its seeds
  private final HostileParser parser;

  ParserTarget(HostileParser.Read read, List<byte[]> seeds, Class<? extends Exception> refusal) {
    parser =
        new HostileParser(read, seeds, List.of(refusal))
            .withInputs(
                Path.of("src/test/resources/org/braid/hdfs/fuzz/ParsersFuzzInputs", fuzzTest()));
  }

  @Override
  public HostileParser parser() {
    return parser;
  }

  private static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  private static void attribute(byte[] input) throws IOException {
    StripeAttribute.version(input);
    String id = Known.ID;
    if (input.length > 0 && input[0] != 0) {
      id = StripeProto.parseFrom(input).getId();
    }
    read(id, input);
  }

  private static byte[] withoutCheck(byte[] attribute) {
    return attribute[0] == 0 ? Arrays.copyOf(attribute, attribute.length - 4) : attribute;
  }

  /** What is read is written and read again; whoever uses the stripe comes through. */
  private static void read(String id, byte[] attribute) throws IOException {
    Stripe stripe = StripeAttribute.of(id, attribute);
    assertEquals(id, stripe.id());
    assertEquals(stripe.blocks().size(), stripe.blockIds().size());
    if (stripe.isSupported()) {
      stripe.layout();
      stripe.parityBytes();
      byte[] written = StripeAttribute.toBytes(stripe, StripeAttribute.LATEST);
      assertEquals(stripe, StripeAttribute.of(id, written));
    }
  }

  private static void delimited(byte[] input) throws IOException {
    Delimited.read(new ByteArrayInputStream(input), StreamRequestProto.parser(), 1024);
    InputStream statuses = new ByteArrayInputStream(input);
    while (Delimited.read(statuses, StreamStatusProto.parser(), 64 << 10) != null) {}
  }

  private static void fragment(byte[] input) throws IOException {
    ExecuteRequestProto request = ExecuteRequestProto.parseFrom(input);
    FragmentCodec.toFragment(request);
    FragmentCodec.layout(request).blockLength();
    FragmentCodec.peers(request);
  }

  /** Then HDFS decodes the identity; what it throws there is refused as AccessCheck does. */
  private static void blockToken(byte[] input) throws IOException {
    byte[] identity = BlockTokens.decode(ByteString.copyFrom(input)).getIdentifier();
    try {
      new BlockTokenIdentifier()
          .readFields(new DataInputStream(new ByteArrayInputStream(identity)));
    } catch (RuntimeException e) {
      throw new IOException("bad token", e);
    }
  }

  private static void stream(byte[] input) throws IOException {
    try (SliceSource source = SentStream.of(input, Seeded.STREAM)) {
      byte[] all = new byte[Seeded.STREAM];
      for (int at = 0; at < all.length; at += all.length / 2) {
        source.read(at, ByteBuffer.wrap(all, at, all.length / 2));
      }
      CRC32C crc = new CRC32C();
      crc.update(all);
      source.finish((int) crc.getValue());
    }
  }

  private static void status(byte[] input) throws IOException {
    int kind = input.length == 0 ? 0 : input[0];
    byte[] message = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
    switch (kind) {
      case 1 -> StatusCodec.of(FileProto.parseFrom(message));
      case 2 -> StatusCodec.of(DatanodeProto.parseFrom(message));
      default -> StatusCodec.of(StripeStatusProto.parseFrom(message));
    }
  }

  private static byte[] policies() {
    Policy policy =
        Policy.of(
            "cold",
            true,
            Action.CONVERT,
            Map.ofEntries(
                Map.entry("path", "/logs/**"),
                Map.entry("unread-for", "30d"),
                Map.entry("max-size", "64m"),
                Map.entry("owner", "etl, hive"),
                Map.entry("code", "rs-6-3"),
                Map.entry("window", "22:00-06:00"),
                Map.entry("zone", "Europe/Berlin")));
    PolicyDocument document =
        PolicyDocument.NONE
            .with(new PolicySet(List.of(policy)))
            .pausing(Pausable.CONVERT, Instant.parse("2026-11-23T15:00:00Z"))
            .asChange("ann", Instant.parse("2026-11-23T15:00:00Z"), "it is new");
    return PolicyJson.write(document).getBytes(StandardCharsets.UTF_8);
  }

  /** What the parsers know beside their input. */
  private static final class Known {
    static final String ID = "00112233445566778899aabbccddeeff";
    static final Instant NOW = Instant.parse("2026-11-23T15:00:00Z");
    static final EnabledCodes ENABLED =
        new EnabledCodes(
            Set.of(
                "rs",
                "rep",
                "xor",
                "lrc",
                "xorbas",
                "mxor",
                "flr",
                "rotated-rs",
                "hitchhiker-xor",
                "clay"));
  }
}
