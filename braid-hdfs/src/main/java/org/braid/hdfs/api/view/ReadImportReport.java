package org.braid.hdfs.api.view;

import java.util.List;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.audit.Coverage;

/**
 * What came of an import of audit logs.
 *
 * @param files files that are there and followed
 * @param recorded files on which a read was recorded
 * @param current files that were read, as was recorded before or follows from HDFS's own times
 * @param failed files on which HDFS refused to record a read; when there are any, reads are known
 *     as before
 * @param failures the first of them, with the reason
 * @param known from when until when reads are known now
 * @param gaps times of which there is no log
 * @param unknown paths of policies whose reads are not known, as later logs were not imported
 */
public record ReadImportReport(
    long files,
    long recorded,
    long current,
    long failed,
    List<String> failures,
    KnownReads known,
    List<Coverage.Span> gaps,
    List<String> unknown) {
  /** Whether reads are recorded. */
  public enum Mode {
    /** They are. */
    RECORD,
    /** They are only counted. */
    DRY_RUN
  }

  public ReadImportReport {
    failures = List.copyOf(failures);
    gaps = List.copyOf(gaps);
    unknown = List.copyOf(unknown);
  }
}
