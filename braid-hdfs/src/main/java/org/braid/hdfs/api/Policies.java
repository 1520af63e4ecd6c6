package org.braid.hdfs.api;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.braid.hdfs.api.view.ReadImportReport;
import org.braid.hdfs.policy.FileFacts;
import org.braid.hdfs.policy.FileVerdict;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.audit.LastUses;

/** The policies of a cluster. HDFS refuses them to all users but the superuser. */
public interface Policies {
  /**
   * The policies in force.
   *
   * @throws RefusedException when they cannot be understood or come from a newer version
   */
  PolicyDocument current() throws IOException;

  /** All changes, the newest first. */
  List<Change> history() throws IOException;

  /**
   * A change.
   *
   * @param file the file of the change
   * @param document the policies after the change; empty when the file is malformed
   * @param problem why it is malformed
   */
  record Change(String file, Optional<PolicyDocument> document, String problem) {}

  /**
   * Changes the policies; the previous ones stay in the history.
   *
   * @param what the change, in words
   * @param change throws an {@link IllegalArgumentException} to refuse
   * @throws RefusedException when the change is refused, or after a concurrent change
   */
  PolicyDocument change(String what, UnaryOperator<PolicyDocument> change) throws IOException;

  /**
   * Why a converting policy cannot convert any file on the present nodes in service, with numbers;
   * empty when it can. The policy need not be in force.
   */
  Optional<String> misfit(Policy policy) throws IOException;

  /** The source, begin and end of the known reads of files. */
  KnownReads reads() throws IOException;

  /**
   * Records on files the times of reads from audit logs, and the begin and end of the known reads.
   *
   * @throws RefusedException when HDFS records reads itself, or the logs show none
   */
  ReadImportReport importReads(LastUses uses, ReadImportReport.Mode mode, Progress progress)
      throws IOException;

  /** Previews each enabled policy, in their order; changes nothing. */
  List<PolicyPreview> preview(Progress progress) throws IOException;

  /** Explains the decision of the policies on a file. */
  Explanation explain(String path) throws IOException;

  /** The remaining work on a file for the policy that takes it. */
  enum Standing {
    /** Nothing: the file is as the policy wants it. */
    AS_WANTED,
    /** Nothing, though it is converted with another code: it stays so until it is restored. */
    OTHER_CODE,
    /** What the policy does. */
    TO_DO
  }

  /**
   * What policies make of a file.
   *
   * @param codes those that it is converted with; none: it is replicated
   * @param standing what is left to do; nothing where no policy takes it
   * @param problem why the policy that takes it cannot do what it should, with numbers; empty when
   *     it can
   */
  record Explanation(
      FileFacts file,
      List<String> codes,
      Standing standing,
      FileVerdict verdict,
      Optional<String> problem) {
    public Explanation {
      codes = List.copyOf(codes);
    }
  }
}
