package org.braid.experiment.file;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;

/**
 * A value of a file with the line where it starts.
 *
 * @param text of a {@link Kind#TEXT}, as written
 * @param entries of a {@link Kind#MAP}, in order
 * @param items of a {@link Kind#LIST}
 */
public record Node(
    Kind kind, Place place, String text, Map<String, Entry> entries, List<Node> items) {
  /** What a value is. */
  public enum Kind {
    TEXT("a single value"),
    MAP("a mapping"),
    LIST("a list"),
    NOTHING("empty");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /**
   * A key with its value.
   *
   * @param place of the key
   */
  public record Entry(Place place, Node value) {}

  public Node {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    items = List.copyOf(items);
  }

  static Node text(Place place, String text) {
    return new Node(Kind.TEXT, place, text, Map.of(), List.of());
  }

  static Node nothing(Place place) {
    return new Node(Kind.NOTHING, place, "", Map.of(), List.of());
  }

  static Node list(Place place, List<Node> items) {
    return new Node(Kind.LIST, place, "", Map.of(), items);
  }

  static Node map(Place place, Map<String, Entry> entries) {
    return new Node(Kind.MAP, place, "", entries, List.of());
  }

  /**
   * This, which has to be of a kind.
   *
   * @param name of the key, for the message
   * @param example how it is written
   */
  public Node as(Kind wanted, String name, String example) throws ExperimentException {
    if (kind != wanted) {
      throw place.wrong(
          "%s is %s and should be %s: write %s".formatted(name, kind.words, wanted.words, example));
    }
    return this;
  }

  /** The texts of a list; a single text counts as a list of one. */
  public List<String> texts(String name, String example) throws ExperimentException {
    if (kind == Kind.TEXT) {
      return List.of(text);
    }
    as(Kind.LIST, name, example);
    for (Node item : items) {
      item.as(Kind.TEXT, "an item of " + name, example);
    }
    return items.stream().map(Node::text).toList();
  }
}
