package org.braid.lab.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.LabDriver;
import org.jspecify.annotations.Nullable;

/**
 * The end of a command.
 *
 * @param said the driver's answer; null: it gave none
 * @param error why the command failed; empty: it is done
 * @param end how it ended
 */
record Reply(@Nullable ObjectNode said, String error, End end) {
  /** How a command ended. */
  enum End {
    DONE,
    FAILED,
    /** Refused: a promise could not be kept. */
    REFUSED,
    /** The process that executed it was killed. */
    KILLED,
    /** It had not ended in time. */
    LATE
  }

  static Reply of(ObjectNode said) {
    if (!said.has("error")) {
      return new Reply(said, "", End.DONE);
    }
    boolean refused = said.path("refused").asBoolean();
    return new Reply(said, said.path("error").asText(), refused ? End.REFUSED : End.FAILED);
  }

  boolean ok() {
    return end == End.DONE;
  }

  /** The answer of a command that is done. */
  <A extends Answer> A as(Class<A> type) throws ExperimentException {
    if (said == null) {
      throw new IllegalStateException("no answer: " + error);
    }
    try {
      return LabDriver.JSON.treeToValue(said.path("answer"), type);
    } catch (JsonProcessingException e) {
      throw ExperimentException.failed(
          "a driver answers what is not understood: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public String toString() {
    return ok() && said != null ? said.path("answer").toString() : end + " " + error;
  }
}
