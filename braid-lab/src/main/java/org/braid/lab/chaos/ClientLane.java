package org.braid.lab.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.braid.experiment.ExperimentException;
import org.braid.hdfs.testkit.lab.Answer;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.GeneratedContent;

/** A client: carries out its steps one after the other and knows the right content of its files. */
final class ClientLane {
  /** How long a change is tried again: longer than a NameNode and a lost pipeline take. */
  private static final long PATIENCE_SECONDS = 240;

  private static final long READ_SECONDS = 120;
  private static final long AGAIN_MILLIS = 500;

  private final String name;
  private final Actor actor;
  private final Lock noRestart;
  private final ChaosTally tally;
  private final FileModel model = new FileModel();

  /**
   * A client without files.
   *
   * @param noRestart held while the NameNode must not be restarted
   */
  ClientLane(String name, Actor actor, Lock noRestart, ChaosTally tally) {
    this.name = name;
    this.actor = actor;
    this.noRestart = noRestart;
    this.tally = tally;
  }

  FileModel model() {
    return model;
  }

  /** Carries out a step. */
  void execute(Command step) throws ExperimentException, InterruptedException {
    tally.operation(name, step);
    if (step instanceof Command.Compare compare) {
      compare(compare);
    } else if (step instanceof Command.Checksum checksum) {
      checksum(checksum, model.file(checksum.path()).content());
    } else {
      Reply reply = model.outlivesNoRestart(step) ? withoutRestart(step) : untilDone(step);
      if (reply.ok() && step instanceof Command.Change change) {
        model.apply(change);
      } else if (!reply.ok()) {
        tally.violation(
            "%s: %s failed for %d s: %s".formatted(name, step, PATIENCE_SECONDS, reply));
      }
    }
  }

  private Reply withoutRestart(Command step) throws InterruptedException {
    noRestart.lockInterruptibly();
    try {
      return untilDone(step);
    } finally {
      noRestart.unlock();
    }
  }

  private Reply untilDone(Command step) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      Reply reply = actor.call(step, PATIENCE_SECONDS);
      if (reply.ok() || System.nanoTime() - end > 0) {
        return reply;
      }
      tally.note(name, "again, after " + reply);
      Thread.sleep(AGAIN_MILLIS);
    }
  }

  /** Reads a range, which must succeed at once; only a killed client asks again. */
  void compare(Command.Compare compare) throws ExperimentException, InterruptedException {
    Reply reply;
    do {
      reply = actor.call(compare, READ_SECONDS);
    } while (reply.end() == Reply.End.KILLED);
    if (!reply.ok()) {
      tally.violation("%s: %s failed: %s".formatted(name, compare, reply));
      return;
    }
    Answer.Compared compared = reply.as(Answer.Compared.class);
    tally.compared(compared.equal());
    if (compared.equal() != compare.length()) {
      tally.violation(
          "%s: %s differs at byte %d of %d"
              .formatted(
                  name, compare, compare.offset() + compared.equal(), compare.content().length()));
    } else if (compared.fileBytes() != compare.content().length()) {
      tally.violation("%s: %s has %d bytes".formatted(name, compare, compared.fileBytes()));
    }
  }

  private void checksum(Command.Checksum checksum, GeneratedContent content)
      throws ExperimentException, InterruptedException {
    if (content.length() == 0) {
      return;
    }
    Reply reply = untilDone(checksum);
    if (!reply.ok()) {
      tally.violation("%s: %s failed: %s".formatted(name, checksum, reply));
      return;
    }
    long crc;
    try {
      crc = content.crc32c();
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written", e);
    }
    long answered = reply.as(Answer.Checked.class).crc32c();
    if (answered != crc) {
      tally.violation(
          "%s: %s is %08x, the content's is %08x".formatted(name, checksum, answered, crc));
    }
  }

  /** Reads everything that the files and snapshots are to hold. */
  void compareAll(List<Command.Client> clients) throws ExperimentException, InterruptedException {
    for (Map.Entry<String, GeneratedContent> file : model.contents().entrySet()) {
      for (Command.Client client : clients) {
        compare(ClientSteps.whole(file.getKey(), client, file.getValue()));
      }
    }
  }

  /** Asks for the checksum of every file. */
  void checkAll() throws ExperimentException, InterruptedException {
    for (Map.Entry<String, FileModel.Entry> file : model.files().entrySet()) {
      checksum(
          new Command.Checksum(file.getKey(), Command.Client.PLAIN), file.getValue().content());
    }
  }
}
