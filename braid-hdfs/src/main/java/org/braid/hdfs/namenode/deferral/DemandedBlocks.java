package org.braid.hdfs.namenode.deferral;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The demanded blocks, with the users who demand them. A block takes one place in all, and one of
 * each user who demands it, so that no user takes all places. Coordinators rebuild blocks in the
 * order in which they are told of them. Of each user's blocks they are told a few at once, and the
 * next when those are rebuilt, so that one user's blocks do not all come before another's. Not
 * thread-safe.
 */
final class DemandedBlocks {
  /**
   * Number of a user's blocks that coordinators are told of at once, more than they rebuild at
   * once.
   */
  static final int TOLD_AT_ONCE = 32;

  /** Receives the blocks that coordinators are told of. */
  interface Teller {
    void tell(long block, long number);
  }

  /** A block; its number is 0 until coordinators may be told of it. */
  private static final class Demanded {
    private long number;
    private long told;
    private final Map<String, Long> expiries = new HashMap<>();
  }

  /** Blocks of a user. */
  private static final class Share {
    private int demanded;
    private int told;
  }

  private final int most;
  private final int perUser;
  private final Map<Long, Demanded> blocks = new LinkedHashMap<>();
  private final Map<String, Share> users = new HashMap<>();
  private long numbers;

  /**
   * Starts without demands.
   *
   * @param most places in all
   * @param perUser places of one user
   */
  DemandedBlocks(int most, int perUser) {
    this.most = most;
    this.perUser = perUser;
  }

  /** Whether there are places for a user's blocks, in addition to present demands. */
  boolean hasRoom(String user, Set<Long> wanted) {
    if (wanted.size() > Math.min(most, perUser)) {
      return false;
    }
    Share share = users.get(user);
    long inAll = blocks.size();
    long own = share == null ? 0 : share.demanded;
    for (long block : wanted) {
      Demanded present = blocks.get(block);
      inAll += present == null ? 1 : 0;
      own += present == null || !present.expiries.containsKey(user) ? 1 : 0;
    }
    return own <= perUser && inAll <= most;
  }

  /**
   * Demands a block for a user who has a place.
   *
   * @return whether the block is now new to coordinators
   */
  boolean demand(String user, long block, long now, long expiry) {
    Demanded demanded = blocks.computeIfAbsent(block, unused -> new Demanded());
    if (demanded.expiries.put(user, expiry) == null) {
      Share share = share(user);
      share.demanded++;
      share.told += demanded.number > 0 ? 1 : 0;
    }
    return release(demanded, now);
  }

  /** Whether coordinators may be told of a block from now on, and not before. */
  private boolean release(Demanded demanded, long now) {
    if (demanded.number > 0
        || demanded.expiries.keySet().stream().noneMatch(user -> share(user).told < TOLD_AT_ONCE)) {
      return false;
    }
    demanded.number = ++numbers;
    demanded.told = now;
    demanded.expiries.keySet().forEach(user -> share(user).told++);
    return true;
  }

  private Share share(String user) {
    return users.computeIfAbsent(user, unused -> new Share());
  }

  /** Ends all demands of these blocks. */
  void remove(Collection<Long> gone) {
    for (long block : gone) {
      Demanded demanded = blocks.remove(block);
      if (demanded != null) {
        demanded.expiries.keySet().forEach(user -> giveBack(user, demanded));
      }
    }
  }

  private void giveBack(String user, Demanded demanded) {
    Share share = share(user);
    share.demanded--;
    share.told -= demanded.number > 0 ? 1 : 0;
    if (share.demanded == 0) {
      users.remove(user);
    }
  }

  /** Forgets expired demands. */
  void expire(long now) {
    for (Iterator<Demanded> i = blocks.values().iterator(); i.hasNext(); ) {
      Demanded demanded = i.next();
      demanded
          .expiries
          .entrySet()
          .removeIf(
              expiry -> {
                boolean over = expiry.getValue() <= now;
                if (over) {
                  giveBack(expiry.getKey(), demanded);
                }
                return over;
              });
      if (demanded.expiries.isEmpty()) {
        i.remove();
      }
    }
  }

  /**
   * Releases the next blocks to coordinators, and again the blocks released long ago.
   *
   * @param againMillis age after which a block is released again
   * @return whether any block was released
   */
  boolean tellNext(long now, long againMillis) {
    boolean any = false;
    for (Demanded demanded : blocks.values()) {
      if (demanded.number > 0 && now - demanded.told >= againMillis) {
        demanded.number = ++numbers;
        demanded.told = now;
        any = true;
      } else {
        any |= release(demanded, now);
      }
    }
    return any;
  }

  /** The demanded blocks. */
  Set<Long> ids() {
    return Set.copyOf(blocks.keySet());
  }

  /** Passes on the released blocks with numbers above {@code after}. */
  void tell(long after, Teller teller) {
    blocks.forEach(
        (block, demanded) -> {
          if (demanded.number > Math.max(0, after)) {
            teller.tell(block, demanded.number);
          }
        });
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Ends all demands. */
  void clear() {
    blocks.clear();
    users.clear();
  }
}
