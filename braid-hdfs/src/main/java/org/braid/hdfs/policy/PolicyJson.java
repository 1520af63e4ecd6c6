package org.braid.hdfs.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Policies as JSON. Refuses unknown keys: a rule must not be applied in part. */
public final class PolicyJson {
  /** The format that this version writes, and the newest that it reads. */
  private static final int FORMAT = 1;

  private static final String NAME = "name";
  private static final String ENABLED = "enabled";
  private static final String ACTION = "action";

  private static final Set<String> COUNTS =
      Set.of("min_blocks", "max_blocks", "max_per_rack", "target_racks", "parity_copies");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private PolicyJson() {}

  /** Writes them. */
  public static String write(PolicyDocument document) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("format", FORMAT);
    root.put("revision", document.revision());
    root.put("user", document.user());
    root.put("at", document.at().toString());
    root.put("change", document.change());
    var policies = root.putArray("policies");
    for (Policy policy : document.policies().policies()) {
      ObjectNode node = policies.addObject();
      fields(policy)
          .forEach(
              (key, value) -> {
                if (value instanceof Boolean flag) {
                  node.put(key, flag);
                } else {
                  node.put(key, value.toString());
                }
              });
    }
    ObjectNode pauses = root.putObject("pauses");
    new TreeMap<>(document.pauses())
        .forEach((work, until) -> pauses.put(work.word(), until.toString()));
    try {
      return MAPPER.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of values is always writable", e);
    }
  }

  /** The keys and values of a policy for programs; counts are numbers. */
  public static Map<String, Object> shown(Policy policy) {
    Map<String, Object> shown = fields(policy);
    shown.replaceAll((key, value) -> COUNTS.contains(key) ? Long.valueOf(value.toString()) : value);
    return shown;
  }

  /** The same as stored: strings, and whether the policy is enabled. */
  private static Map<String, Object> fields(Policy policy) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(NAME, policy.name());
    fields.put(ENABLED, policy.enabled());
    fields.put(ACTION, policy.action().word());
    policy.settings().forEach((key, value) -> fields.put(key.replace('-', '_'), value));
    return fields;
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException when they are malformed or come from a newer version
   */
  public static PolicyDocument read(String text) {
    JsonNode root;
    try {
      root = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
    }
    if (!root.isObject() || !root.path("format").isInt()) {
      throw new IllegalArgumentException("no JSON object with a format");
    }
    int format = root.get("format").intValue();
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "it has format %d, this version of Braid reads format %d: use the version that wrote it"
              .formatted(format, FORMAT));
    }
    only(root, Set.of("format", "revision", "user", "at", "change", "policies", "pauses"));
    if (!root.path("revision").canConvertToLong() || !root.path("policies").isArray()) {
      throw new IllegalArgumentException("its revision or its policies are missing");
    }
    List<Policy> policies = new ArrayList<>();
    for (JsonNode node : root.get("policies")) {
      policies.add(policy(node));
    }
    Map<Pausable, Instant> pauses = new EnumMap<>(Pausable.class);
    for (Iterator<String> names = root.path("pauses").fieldNames(); names.hasNext(); ) {
      String name = names.next();
      pauses.put(
          constant(Pausable.class, "pause", name), instant(root.get("pauses").get(name).asText()));
    }
    return new PolicyDocument(
        root.get("revision").longValue(),
        text(root, "user"),
        instant(text(root, "at")),
        text(root, "change"),
        new PolicySet(policies),
        pauses);
  }

  private static Policy policy(JsonNode node) {
    String name = text(node, NAME);
    if (!node.path(ENABLED).isBoolean()) {
      throw new IllegalArgumentException("policy " + name + ": enabled is neither true nor false");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (Iterator<String> keys = node.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      if (!Set.of(NAME, ENABLED, ACTION).contains(key)) {
        settings.put(key.replace('_', '-'), text(node, key));
      }
    }
    try {
      return Policy.of(
          name,
          node.get(ENABLED).booleanValue(),
          constant(Action.class, ACTION, text(node, ACTION)),
          settings);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("policy " + name + ": " + e.getMessage(), e);
    }
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String what, String word) {
    for (E value : type.getEnumConstants()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
        return value;
      }
    }
    throw new IllegalArgumentException(what + " \"" + word + "\" is not known");
  }

  private static void only(JsonNode node, Set<String> known) {
    Set<String> unknown = new TreeSet<>();
    node.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("keys that are not known: " + String.join(", ", unknown));
    }
  }

  private static String text(JsonNode node, String key) {
    if (!node.path(key).isTextual()) {
      throw new IllegalArgumentException("\"" + key + "\" is missing or no text");
    }
    return node.get(key).textValue();
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no moment", e);
    }
  }
}
