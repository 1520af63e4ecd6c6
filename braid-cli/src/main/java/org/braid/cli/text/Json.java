package org.braid.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes records as JSON objects with {@code snake_case} keys. */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private Json() {}

  /** An empty object. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** The object of a record: a key for each component. */
  public static ObjectNode of(Record value) {
    return MAPPER.valueToTree(value);
  }

  /** The text of an object. */
  public static String write(ObjectNode object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of values is always writable", e);
    }
  }
}
