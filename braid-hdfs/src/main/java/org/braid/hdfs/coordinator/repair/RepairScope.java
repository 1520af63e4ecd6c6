package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.stripe.StripeStatus;

/** Which stripes a repair looks at, and whether the work is broken off between two of them. */
public interface RepairScope {
  /** The stripes, page by page; one may be on several pages. Called on a thread of its own. */
  void stripes(Page<StripeStatus> pages) throws IOException;

  /** All stripes are listed, which took so long. */
  default void listed(long millis) {}

  /** Whether no more repairs are to be begun. */
  boolean halted();

  /** Whether repairs that the throttle makes slow are broken off, as others want to work. */
  default boolean givesWay() {
    return halted();
  }

  /** How long silent nodes may come back, where that is not asked for or configured. */
  default long delayMillis() {
    return 0;
  }

  /** Whether the stripes wait for nothing, as readers wait for them. */
  default boolean awaited() {
    return false;
  }

  /** Whether nodes that are late have more time before what they have counts as lost. */
  default boolean isPatient() {
    return !awaited();
  }

  /** Whether stripes that lost no block are left as they are, and nothing is swept. */
  default boolean onlyLost() {
    return awaited();
  }

  /** Whether all stripes are looked at. */
  default boolean isWhole() {
    return false;
  }

  /**
   * Stripes that are repaired at once, whatever else is done.
   *
   * @param halted whether no more of them are to be begun
   */
  static RepairScope awaited(List<StripeStatus> stripes, BooleanSupplier halted) {
    return atOnce(stripes, halted, false);
  }

  /** The same where no reader waits, so that nodes that are late have more time. */
  static RepairScope urgent(List<StripeStatus> stripes, BooleanSupplier halted) {
    return atOnce(stripes, halted, true);
  }

  private static RepairScope atOnce(
      List<StripeStatus> stripes, BooleanSupplier halted, boolean patient) {
    return new RepairScope() {
      @Override
      public void stripes(Page<StripeStatus> pages) throws IOException {
        pages.take(stripes);
      }

      @Override
      public boolean halted() {
        return halted.getAsBoolean();
      }

      @Override
      public boolean awaited() {
        return true;
      }

      @Override
      public boolean isPatient() {
        return patient;
      }
    };
  }

  /**
   * All stripes on which there may be work; those that lack most blocks come first. The NameNode
   * leaves out those that are wholly as they should be.
   */
  static void all(Session session, Page<StripeStatus> pages) throws IOException {
    session.nameNode().damagedStripes(pages);
    if (!pages.isFull()) {
      session.nameNode().unsoundStripes(session.cluster()::recent, pages);
    }
  }

  /**
   * The stripes of files below a path; all where that is the root.
   *
   * @param halted whether no more repairs are to be begun
   */
  static RepairScope below(Session session, String path, BooleanSupplier halted) {
    return new RepairScope() {
      @Override
      public void stripes(Page<StripeStatus> pages) throws IOException {
        if (path.equals("/")) {
          all(session, pages);
        } else {
          session.nameNode().stripesBelow(path, pages);
        }
      }

      @Override
      public boolean halted() {
        return halted.getAsBoolean();
      }

      @Override
      public boolean isWhole() {
        return path.equals("/");
      }
    };
  }
}
