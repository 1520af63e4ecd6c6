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

/** The policies of a cluster. They are the superuser's: others are refused by HDFS. */
public interface Policies {
  /**
   * The policies that hold.
   *
   * @throws RefusedException when they cannot be understood or come from a newer version
   */
  PolicyDocument current() throws IOException;

  /** All changes that there were, the newest first. */
  List<Change> history() throws IOException;

  /**
   * A change.
   *
   * @param file where it is stored
   * @param document what held from then on; empty when it cannot be understood
   * @param problem why it cannot
   */
  record Change(String file, Optional<PolicyDocument> document, String problem) {}

  /**
   * Changes the policies; the former ones stay in the history.
   *
   * @param what the change, in words
   * @param change refuses with an {@link IllegalArgumentException}
   * @throws RefusedException when the change is refused, or somebody else changed them meanwhile
   */
  PolicyDocument change(String what, UnaryOperator<PolicyDocument> change) throws IOException;

  /**
   * Why a policy that converts files converts none on the nodes in service as they are, with
   * numbers; empty when it does. It need not be one of those that hold.
   */
  Optional<String> misfit(Policy policy) throws IOException;

  /** From where reads of files are known, from when until when. */
  KnownReads reads() throws IOException;

  /**
   * Records on files when audit logs show that they were read, and from when until when reads are
   * known.
   *
   * @throws RefusedException when HDFS records reads itself, or the logs show none
   */
  ReadImportReport importReads(LastUses uses, ReadImportReport.Mode mode, Progress progress)
      throws IOException;

  /** Says what each enabled policy would do, in their order; changes nothing. */
  List<PolicyPreview> preview(Progress progress) throws IOException;

  /** Says what the policies make of a file. */
  Explanation explain(String path) throws IOException;

  /** What is left to do with a file for the policy that takes it. */
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
