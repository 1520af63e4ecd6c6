package org.braid.experiment.file;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;
import org.braid.experiment.file.Node.Kind;
import org.braid.experiment.text.Near;

/** A mapping whose keys are known: asks for each with its type, refuses all others. */
final class Fields {
  private final Node node;
  private final String what;

  private Fields(Node node, String what) {
    this.node = node;
    this.what = what;
  }

  /**
   * The keys of a mapping.
   *
   * @param what it is, for messages, for example {@code a claim}
   * @throws ExperimentException when it is no mapping or has a key that is not known
   */
  static Fields of(Node node, String what, List<String> known) throws ExperimentException {
    node.as(Kind.MAP, what, known.get(0) + ": ...");
    for (var entry : node.entries().entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw entry
            .getValue()
            .place()
            .wrong(
                "unknown key \"%s\" in %s%s"
                    .formatted(entry.getKey(), what, Near.hint(entry.getKey(), known)));
      }
    }
    return new Fields(node, what);
  }

  Place place() {
    return node.place();
  }

  /** Where a key is, or the mapping when it is not there. */
  Place place(String key) {
    Node.Entry entry = node.entries().get(key);
    return entry == null ? node.place() : entry.place();
  }

  /** The value of a key that may be left out, but not left empty. */
  Optional<Node> optional(String key) throws ExperimentException {
    Node.Entry entry = node.entries().get(key);
    if (entry == null) {
      return Optional.empty();
    }
    if (entry.value().kind() == Kind.NOTHING) {
      throw entry.place().wrong(key + " has no value: write one or remove the line");
    }
    return Optional.of(entry.value());
  }

  /** The value of a key that has to be there. */
  Node required(String key, String example) throws ExperimentException {
    Optional<Node> value = optional(key);
    if (value.isEmpty()) {
      throw node.place().wrong("%s has no %s: write %s".formatted(what, key, example));
    }
    return value.get();
  }

  String text(String key, String example) throws ExperimentException {
    return required(key, example).as(Kind.TEXT, key, example).text();
  }

  String text(String key, String example, String otherwise) throws ExperimentException {
    Optional<Node> value = optional(key);
    return value.isEmpty() ? otherwise : value.get().as(Kind.TEXT, key, example).text();
  }

  /** A whole number in a range. */
  long whole(String key, long least, long most, long otherwise) throws ExperimentException {
    String text = text(key, key + ": " + otherwise, String.valueOf(otherwise));
    if (!text.matches("-?[0-9]{1,18}")) {
      throw place(key).wrong("%s is \"%s\", not a whole number".formatted(key, text));
    }
    long value = Long.parseLong(text);
    if (value < least || value > most) {
      throw place(key)
          .wrong("%s is %d, it has to be from %d to %d".formatted(key, value, least, most));
    }
    return value;
  }

  /** One of the names of an enum, in lower case. */
  <E extends Enum<E>> E choice(String key, Class<E> type, E otherwise) throws ExperimentException {
    String text = text(key, key + ": " + name(otherwise), name(otherwise));
    List<String> names = Arrays.stream(type.getEnumConstants()).map(Fields::name).toList();
    int index = names.indexOf(text);
    if (index < 0) {
      throw place(key).wrong("unknown %s \"%s\"%s".formatted(key, text, Near.hint(text, names)));
    }
    return type.getEnumConstants()[index];
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
