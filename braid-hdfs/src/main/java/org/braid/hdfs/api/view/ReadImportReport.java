package org.braid.hdfs.api.view;

import java.util.List;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.audit.Coverage;

/**
 * The result of an import of audit logs.
 *
 * @param files existing files whose reads are followed
 * @param recorded files on which a read was recorded
 * @param current files whose read was already recorded or follows from HDFS's own times
 * @param failed files on which HDFS refused to record a read; if there are any, the known reads
 *     stay as before
 * @param failures the first of them, with the reason
 * @param known the begin and end of the known reads now
 * @param gaps times without a log
 * @param unknown paths of policies whose reads are unknown because later logs were not imported
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
    /** Records reads. */
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
