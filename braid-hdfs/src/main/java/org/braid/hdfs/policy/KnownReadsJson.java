package org.braid.hdfs.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** Codec of the known reads from audit logs, for an extended attribute in HDFS. */
public final class KnownReadsJson {
  private static final int FORMAT = 1;

  private static final String SINCE = "since";

  /** Most bytes of the attribute; HDFS allows 16 KiB by default. */
  private static final int MOST_BYTES = 12 << 10;

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private KnownReadsJson() {}

  /**
   * Encodes known reads.
   *
   * @throws IllegalArgumentException when it is too long for an attribute
   */
  public static byte[] write(KnownReads known) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", FORMAT);
    root.put("until", known.until().toString());
    ObjectNode since = root.putObject(SINCE);
    new TreeMap<>(known.since()).forEach((path, from) -> since.put(path, from.toString()));
    byte[] bytes = root.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "the paths of %d policies take %d bytes, at most %d are kept: import with --all"
              .formatted(known.since().size(), bytes.length, MOST_BYTES));
    }
    return bytes;
  }

  /**
   * Decodes known reads.
   *
   * @throws IllegalArgumentException when they are malformed or come from a newer version
   */
  public static KnownReads read(byte[] bytes) {
    JsonNode root;
    try {
      root = MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
    }
    if (root.path("format").asInt() != FORMAT) {
      throw new IllegalArgumentException(
          "it has format %s, this version of Braid reads format %d"
              .formatted(root.path("format").asText("?"), FORMAT));
    }
    try {
      Map<String, Instant> since = new TreeMap<>();
      for (Iterator<String> paths = root.path(SINCE).fieldNames(); paths.hasNext(); ) {
        String path = paths.next();
        since.put(path, moment(root.get(SINCE).get(path).asText()));
      }
      return KnownReads.fromLogs(since, moment(root.path("until").asText()));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Instant moment(String text) {
    Instant moment = Instant.parse(text);
    if (moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST)) {
      throw new IllegalArgumentException(text + " is not within the years 1970 to 9999");
    }
    return moment;
  }
}
