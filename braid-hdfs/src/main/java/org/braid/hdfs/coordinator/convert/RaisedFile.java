package org.braid.hdfs.coordinator.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.stripe.StoredFile;

/** Raises the replication of converted files back to its value before conversion. */
final class RaisedFile {
  private RaisedFile() {}

  /**
   * Asks for replicas of a file.
   *
   * @return why HDFS refuses them, for instance for a quota; empty when it does not
   */
  static Optional<Skipped> raise(Session session, StoredFile file, int replication)
      throws IOException {
    try {
      session.nameNode().raise(session.lease(), file.inode(), replication);
      return Optional.empty();
    } catch (FileNotFoundException e) {
      return Optional.of(new Skipped(file.path(), "GONE", "it was deleted meanwhile"));
    } catch (QuotaExceededException e) {
      return Optional.of(
          new Skipped(
              file.path(),
              "QUOTA",
              "its replication stays %d, %d was to be restored: %s"
                  .formatted(file.replication(), replication, e.getMessage())));
    }
  }
}
