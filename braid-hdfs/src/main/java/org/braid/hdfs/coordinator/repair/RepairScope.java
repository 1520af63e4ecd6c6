package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.stripe.StripeStatus;

/** The stripes that a repair looks at, and how it treats them. */
public interface RepairScope {
  /** The stripes, page by page; one may be on several pages. Called on a thread of its own. */
  void stripes(Page<StripeStatus> pages) throws IOException;

  /** Called when all stripes are listed, with the time that this took. */
  default void listed(long millis) {}

  /** Whether to begin no more repairs. */
  boolean halted();

  /**
   * Whether to break off repairs that the throttle slows down, because the work is given up for
   * now.
   */
  default boolean givesWay() {
    return halted();
  }

  /** Default of the time for which silent nodes may come back. */
  default long delayMillis() {
    return 0;
  }

  /** Whether to repair the stripes at once, for example because readers wait for them. */
  default boolean awaited() {
    return false;
  }

  /** Whether late nodes get more time before their blocks count as lost. */
  default boolean isPatient() {
    return !awaited();
  }

  /**
   * Whether to repair only lost blocks: stripes without any are left alone, and nothing is swept.
   */
  default boolean onlyLost() {
    return awaited();
  }

  /** Whether the scope is all stripes. */
  default boolean isWhole() {
    return false;
  }

  /**
   * Stripes that readers wait for, repaired at once.
   *
   * @param halted whether no more of them are to be begun
   */
  static RepairScope awaited(List<StripeStatus> stripes, BooleanSupplier halted) {
    return atOnce(stripes, halted, false);
  }

  /**
   * Stripes that are repaired at once although no reader waits, so that late nodes get more time.
   */
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
   * Lists all stripes that may need repair, those that lack the most blocks first. The NameNode
   * leaves out sound stripes.
   */
  static void all(Session session, Page<StripeStatus> pages) throws IOException {
    session.nameNode().damagedStripes(pages);
    if (!pages.isFull()) {
      session.nameNode().unsoundStripes(session.cluster()::recent, pages);
    }
  }

  /**
   * The stripes of the files below a path; all stripes for the root.
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
