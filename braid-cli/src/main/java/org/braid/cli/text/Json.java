package org.braid.cli.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import org.braid.hdfs.api.SpilledList;

/** Writes records as JSON objects with {@code snake_case} keys. */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .addModule(new SimpleModule().addSerializer(new LongLists()))
          .build();

  private Json() {}

  /** Lists with entries in a file stay there until they are written. */
  @SuppressWarnings("rawtypes") // of any entries
  private static final class LongLists extends StdSerializer<SpilledList> {
    private static final long serialVersionUID = 1;

    LongLists() {
      super(SpilledList.class);
    }

    @Override
    public void serialize(SpilledList list, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      if (to instanceof TokenBuffer tree && list.isSpilled()) {
        tree.writeEmbeddedObject(list);
        return;
      }
      to.writeStartArray();
      for (Object entry : list) {
        to.writePOJO(entry);
      }
      to.writeEndArray();
    }
  }

  /** An empty object. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** The object of a record: a key for each component. */
  public static ObjectNode of(Record value) {
    return MAPPER.valueToTree(value);
  }

  /** Writes an object and the end of its line. */
  public static void write(ObjectNode object, Writer to) {
    try {
      MAPPER.writeValue(to, object);
      to.write(System.lineSeparator());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
