package org.braid.hdfs.namenode.deferral;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The blocks that are demanded, and who demands them. A block takes one place in all, and one of
 * each user who demands it, so that one user leaves places for others. Coordinators rebuild blocks
 * in the order in which they are told of them: of each user they are told of a few at once, and of
 * the next when those are there, so that one user's blocks do not come before all of another's. Not
 * thread-safe.
 */
final class DemandedBlocks {
  /** Blocks of one user that coordinators are told of at once: more than they rebuild at once. */
  static final int TOLD_AT_ONCE = 32;

  /** What coordinators are told of a block. */
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
   * Nothing is demanded.
   *
   * @param most blocks in all
   * @param perUser blocks of one user
   */
  DemandedBlocks(int most, int perUser) {
    this.most = most;
    this.perUser = perUser;
  }

  /** Whether a user may demand all of some blocks, beside what is demanded already. */
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
   * Demands a block for a user, for whom there is room.
   *
   * @return whether coordinators may be told of it from now on
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

  /** Blocks are not demanded any more. */
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

  /** Forgets what nobody demands any more. */
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
   * Has coordinators told of blocks whose turn has come, and again of those that they were told of
   * long ago.
   *
   * @param againMillis how long ago
   * @return whether there are any
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

  /** What is demanded now. */
  Set<Long> ids() {
    return Set.copyOf(blocks.keySet());
  }

  /** Tells of the blocks with greater numbers than one. */
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

  /** Nothing is demanded any more. */
  void clear() {
    blocks.clear();
    users.clear();
  }
}
