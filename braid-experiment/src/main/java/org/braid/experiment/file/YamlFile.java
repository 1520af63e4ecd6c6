package org.braid.experiment.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.text.Suggestions;

/**
 * A YAML file, read into a record. Errors name the file and line.
 *
 * @param root of all its paths
 */
public record YamlFile<T>(T value, YamlPath root) {
  private static final String DUPLICATE = "Duplicate field ";
  private static final int DEEPEST = 20;
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .build();

  /**
   * Reads a file.
   *
   * @param shown how messages call it
   * @throws ExperimentException when it cannot be read or is not of that type
   */
  public static <T> YamlFile<T> read(Path path, String shown, Class<T> type)
      throws ExperimentException {
    try {
      return parse(Files.readString(path), shown, type);
    } catch (CharacterCodingException e) {
      throw ExperimentException.wrong(shown + ": is not UTF-8 text");
    } catch (IOException e) {
      throw ExperimentException.wrong(shown + ": cannot be read: " + e.getMessage());
    }
  }

  /**
   * Reads a text.
   *
   * @param shown how messages call it
   * @throws ExperimentException when it is not of that type
   */
  public static <T> YamlFile<T> parse(String text, String shown, Class<T> type)
      throws ExperimentException {
    YamlPath root = new YamlPath(shown, lines(text, shown), "");
    try {
      return new YamlFile<>(MAPPER.readerFor(type).readValue(new WholeCharacters(text)), root);
    } catch (JsonMappingException e) {
      YamlPath path = root;
      String name = "the file";
      for (JsonMappingException.Reference reference : e.getPath()) {
        name = reference.getFieldName() == null ? name : reference.getFieldName();
        path = path.at(reference.getFieldName() == null ? reference.getIndex() : name);
      }
      throw path.wrong(problem(e, name));
    } catch (JsonProcessingException e) {
      throw mistake(e, shown); // a number is not looked at before somebody wants its value
    } catch (IOException e) {
      throw new IllegalStateException("a text is read without a file", e);
    }
  }

  /** The line of each path; refuses what is no YAML, empty values and aliases. */
  private static Map<String, Integer> lines(String text, String shown) throws ExperimentException {
    Map<String, Integer> lines = new HashMap<>();
    try (YAMLParser parser = MAPPER.getFactory().createParser(new WholeCharacters(text))) {
      while (parser.nextToken() != null) {
        int line = parser.currentTokenLocation().getLineNr();
        SourceLocation location = new SourceLocation(shown, line);
        if (parser.isCurrentAlias()) {
          throw location.wrong("aliases are not known here: write the value");
        }
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
          throw location.wrong(
              parser.currentName() + " has no value: write one or remove the line");
        }
        lines.putIfAbsent(parser.getParsingContext().pathAsPointer().toString(), line);
      }
    } catch (JsonProcessingException e) {
      throw mistake(e, shown);
    } catch (IOException e) {
      throw new IllegalStateException("a text is read without a file", e);
    }
    if (lines.isEmpty()) {
      throw new SourceLocation(shown, 1).wrong("the file is empty");
    }
    return lines;
  }

  private static ExperimentException mistake(JsonProcessingException e, String shown) {
    // What leads to a mistake is told before it, the text around it indented.
    String problem =
        e.getOriginalMessage()
            .lines()
            .filter(line -> !line.startsWith(" "))
            .reduce("", (before, after) -> after);
    int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
    return new SourceLocation(shown, line)
        .wrong(
            problem.startsWith(DUPLICATE)
                ? problem.substring(DUPLICATE.length()) + " is there twice: remove one"
                : "is not YAML: " + problem);
  }

  private static String problem(JsonMappingException e, String name) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      List<String> known =
          unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
      return "unknown key \"%s\"%s".formatted(name, Suggestions.hint(name, known));
    }
    if (e instanceof InvalidFormatException format && format.getTargetType().isEnum()) {
      String value = String.valueOf(format.getValue());
      List<String> known =
          Arrays.stream(format.getTargetType().getEnumConstants())
              .map(constant -> String.valueOf(constant).toLowerCase(Locale.ROOT))
              .toList();
      return "unknown %s \"%s\"%s".formatted(name, value, Suggestions.hint(value, known));
    }
    if (e instanceof MismatchedInputException mismatch) {
      Class<?> wanted = mismatch.getTargetType();
      return name
          + (Collection.class.isAssignableFrom(wanted)
              ? " should be a list"
              : Number.class.isAssignableFrom(wanted) || wanted.isPrimitive()
                  ? " should be a whole number"
                  : wanted == String.class || wanted.isEnum()
                      ? " should be a single value"
                      : " should be a mapping");
    }
    return e.getOriginalMessage();
  }

  /** A text in pieces that end between characters: SnakeYAML fails on half an emoji. */
  private static final class WholeCharacters extends Reader {
    private final String text;
    private int at;

    WholeCharacters(String text) {
      this.text = text;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
      if (at == text.length()) {
        return -1;
      }
      int end = Math.min(text.length(), at + length);
      if (end - at > 1 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
        end--;
      }
      int read = end - at;
      text.getChars(at, end, buffer, offset);
      at = end;
      return read;
    }

    @Override
    public void close() {}
  }
}
