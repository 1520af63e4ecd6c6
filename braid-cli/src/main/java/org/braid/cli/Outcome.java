package org.braid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What a command ends with.
 *
 * @param status the exit status
 * @param object what {@code --json} prints
 * @param lines what is printed otherwise
 */
public record Outcome(int status, ObjectNode object, List<String> lines) {
  public Outcome {
    lines = List.copyOf(lines);
  }
}
