package org.braid.experiment.file;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads YAML as it stands: nothing is converted, every value keeps its line. */
public final class Tree {
  private static final int MOST_BYTES = 1 << 20;
  private static final int DEEPEST = 20;

  private final String file;

  private Tree(String file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @param shown how messages call it
   * @throws ExperimentException when it cannot be read or is no YAML
   */
  public static Node read(Path path, String shown) throws ExperimentException {
    String text;
    try {
      if (Files.size(path) > MOST_BYTES) {
        throw ExperimentException.wrong(
            shown
                + ": has "
                + Files.size(path)
                + " bytes; an experiment has at most "
                + MOST_BYTES);
      }
      text = Files.readString(path);
    } catch (CharacterCodingException e) {
      throw ExperimentException.wrong(shown + ": is not UTF-8 text");
    } catch (IOException e) {
      throw ExperimentException.wrong(shown + ": cannot be read: " + e.getMessage());
    }
    return parse(text, shown);
  }

  /**
   * Reads a text.
   *
   * @param shown how messages call it
   * @throws ExperimentException when it is no YAML
   */
  public static Node parse(String text, String shown) throws ExperimentException {
    LoaderOptions options = new LoaderOptions();
    // A list that holds itself would be walked for ever.
    options.setMaxAliasesForCollections(0);
    options.setNestingDepthLimit(DEEPEST);
    try {
      org.yaml.snakeyaml.nodes.Node root = new Yaml(options).compose(new StringReader(text));
      return root == null ? Node.nothing(new Place(shown, 1)) : new Tree(shown).of(root);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      throw new Place(shown, line).wrong("is not YAML: " + oneLine(String.valueOf(e.getProblem())));
    } catch (YAMLException e) {
      throw ExperimentException.wrong(
          shown + ": is not YAML: " + oneLine(String.valueOf(e.getMessage())));
    }
  }

  private static String oneLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }

  private Node of(org.yaml.snakeyaml.nodes.Node node) throws ExperimentException {
    Place place = new Place(file, node.getStartMark().getLine() + 1);
    if (node instanceof ScalarNode scalar) {
      return scalar.getTag().equals(Tag.NULL)
          ? Node.nothing(place)
          : Node.text(place, scalar.getValue());
    }
    if (node instanceof SequenceNode sequence) {
      List<Node> items = new ArrayList<>();
      for (org.yaml.snakeyaml.nodes.Node item : sequence.getValue()) {
        items.add(of(item));
      }
      return Node.list(place, items);
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      Node key = of(tuple.getKeyNode());
      key.as(Node.Kind.TEXT, "a key", "a plain name");
      Node.Entry before = entries.get(key.text());
      if (before != null) {
        throw key.place()
            .wrong(
                "\"%s\" stands here for the second time, the first is in line %d: remove one"
                    .formatted(key.text(), before.place().line()));
      }
      entries.put(key.text(), new Node.Entry(key.place(), of(tuple.getValueNode())));
    }
    return Node.map(place, entries);
  }
}
