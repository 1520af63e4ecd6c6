package org.braid.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;

/**
 * The result of a command.
 *
 * @param status the exit status
 * @param object printed with {@code --json}
 * @param lines printed without it
 */
public record CommandResult(int status, ObjectNode object, List<String> lines) {
  public CommandResult {
    lines = Collections.unmodifiableList(lines); // which may be very many
  }
}
