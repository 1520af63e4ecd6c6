package org.braid.hdfs.namenode.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Writes the page's figures as JSON with {@code snake_case} keys, as the commands do. */
final class PageJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private PageJson() {}

  /** The object, and the end of its line. */
  static String write(PageFigures figures) {
    try {
      return MAPPER.writeValueAsString(figures) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("records of values are always writable", e);
    }
  }
}
