package org.braid.hdfs.namenode.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.calls.Needed.State;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * What a removal costs files that stay: blocks of a stripe are what lost blocks of others are
 * rebuilt from. It looks at what is removed once, in short holds of the NameNode's lock.
 */
public final class RemovalCheck {
  /** Blocks and directory entries looked at in one hold of the lock. */
  private static final int CHUNK = 1000;

  /** Stripes that are named; the guard of stripes finds the others by itself. */
  private static final int MOST = 1000;

  private final NameNodeHost host;
  private final StripeIndex index;

  /** Removals from a NameNode. */
  public RemovalCheck(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /**
   * What was found.
   *
   * @param needing lost blocks of files that stay, which cannot be rebuilt without what goes
   * @param thinned stripes that keep some data blocks and lose others
   * @param many whether there may be more of these
   * @param leaving blocks that other removals are not to count on, until this one is released
   */
  public record Verdict(Set<Long> needing, Set<String> thinned, boolean many, List<Long> leaving) {
    static final Verdict NOTHING = new Verdict(Set.of(), Set.of(), false, List.of());
    private static final Verdict MANY = new Verdict(Set.of(), Set.of(), true, List.of());
  }

  /** Blocks that are about to be removed, and by how many calls. */
  private final Map<Long, Integer> leaving = new HashMap<>();

  /**
   * Looks at a removal that the present caller asks for. Whatever is wrong with the path or the
   * caller's permission is left to HDFS.
   */
  Verdict of(Removal removal) throws IOException {
    return look(removal, true);
  }

  /** The same for a removal that was looked at before, whoever calls now. */
  public Verdict permitted(Removal removal) throws IOException {
    return look(removal, false);
  }

  private Verdict look(Removal removal, boolean asked) throws IOException {
    if (!host.nameNode().isActiveState() || host.namesystem().isInSafeMode()) {
      return Verdict.NOTHING;
    }
    index.ensure();
    if (index.size() == 0) {
      return Verdict.NOTHING;
    }
    Optional<Walk> walk = host.reading("braidRemoval", () -> begin(removal));
    if (walk.isEmpty()) {
      return Verdict.NOTHING;
    }
    if (!mayMiss()) {
      if (walk.get().isLong()) {
        return Verdict.MANY;
      }
    } else if (asked && !mayRemove(removal, walk.get().top)) {
      return Verdict.NOTHING;
    }
    try {
      walk.get().walk();
    } catch (IOException | RuntimeException e) {
      walk.get().giveUp();
      throw e;
    }
    return walk.get().verdict();
  }

  /** The removal that a verdict was given for has been carried out, or will not be. */
  public void release(Verdict verdict) {
    release(verdict.leaving());
  }

  private void release(List<Long> blocks) {
    synchronized (leaving) {
      blocks.forEach(id -> leaving.computeIfPresent(id, (i, n) -> n > 1 ? n - 1 : null));
    }
  }

  /** Whether any block may be without a copy that can be read: known without looking at blocks. */
  private boolean mayMiss() {
    BlockManager blocks = host.blocks();
    return !blocks.isPopulatingReplQueues()
        || blocks.getReconstructionQueuesInitProgress() < 1
        || blocks.getMissingBlocksCount() > 0
        || blocks.getMissingReplOneBlocksCount() > 0
        || host.nodes().getDatanodes().stream()
            .anyMatch(node -> node.numBlocks() > 0 && (!node.isAlive() || host.isSuspect(node)));
  }

  private Optional<Walk> begin(Removal removal) throws IOException {
    INode inode = host.inode(removal.path());
    if (inode == null) {
      return Optional.empty();
    }
    String top = inode.getFullPathName();
    if (top.equals(BraidPaths.ROOT) || top.startsWith(BraidPaths.ROOT + "/")) {
      return Optional.empty();
    }
    return Optional.of(
        switch (removal.kind()) {
          case TREE -> new TreeWalk(top, inode);
          case FILE, CONTENT, TAIL -> new FileWalk(top, inode, removal.length());
          case SNAPSHOTS -> new SnapshotWalk(top);
        });
  }

  /** Whether HDFS may permit it, as far as its first checks go. */
  private boolean mayRemove(Removal removal, String top) throws IOException {
    try {
      switch (removal.kind()) {
        case TREE, FILE -> {
          Path parent = new Path(top).getParent();
          host.calls().checkAccess(parent == null ? top : parent.toString(), FsAction.WRITE);
          return !host.reading("braidRemoval", () -> isKept(top, NameNode.getRemoteUser()));
        }
        case CONTENT, TAIL -> host.calls().checkAccess(top, FsAction.WRITE);
        case SNAPSHOTS -> {
          UserGroupInformation user = NameNode.getRemoteUser();
          HdfsFileStatus status = host.calls().getFileInfo(top);
          return host.isSuperuser(user)
              || (status != null && status.getOwner().equals(user.getShortUserName()));
        }
      }
      return true;
    } catch (AccessControlException | FileNotFoundException e) {
      return false;
    }
  }

  /** Whether the sticky bit of a directory keeps a path from a user. */
  private boolean isKept(String path, UserGroupInformation user) throws IOException {
    INode inode = host.inode(path);
    if (inode == null) {
      return false;
    }
    INodeDirectory parent = inode.getParent();
    return parent != null
        && parent.getFsPermission().getStickyBit()
        && !parent.getUserName().equals(user.getShortUserName())
        && !inode.getUserName().equals(user.getShortUserName())
        && !host.isSuperuser(user);
  }

  private record Case(Entry entry, List<State> states) {}

  /** Goes through what is removed. */
  private abstract class Walk {
    final String top;
    private final BiPredicate<INodeFile, BlockInfo> removed;
    private final Set<Long> needing = new LinkedHashSet<>();
    private final Set<String> thinned = new LinkedHashSet<>();
    private final List<Long> mine = new ArrayList<>();

    /** Stripes that lose blocks while others are lost, still to be judged without the lock. */
    private final List<Case> cases = new ArrayList<>();

    Walk(String top, BiPredicate<INodeFile, BlockInfo> removed) {
      this.top = top;
      this.removed = removed;
    }

    /** Whether it may take much longer than HDFS takes. */
    abstract boolean isLong();

    /** Looks at all, in short holds of the lock. */
    abstract void walk() throws IOException;

    /** Judges what was seen in a hold of the lock, which is free now. */
    final void judge() {
      for (Case seen : cases) {
        judge(seen);
      }
      cases.clear();
    }

    private void judge(Case seen) {
      List<Member> members = seen.entry().stripe().members();
      List<State> states = new ArrayList<>(seen.states());
      List<Long> going = new ArrayList<>();
      synchronized (leaving) {
        for (int i = 0; i < states.size(); i++) {
          long id = members.get(i).isVirtual() ? 0 : members.get(i).block().id();
          if (states.get(i) == State.GOING) {
            going.add(id);
          } else if (states.get(i) == State.READABLE && leaving.containsKey(id)) {
            states.set(i, State.ABSENT);
          }
        }
        Set<Integer> lost = new Needed(seen.entry().stripe().code(), states).lostWithout();
        lost.forEach(i -> needing.add(members.get(i).block().id()));
        if (lost.isEmpty()) {
          going.forEach(id -> leaving.merge(id, 1, Integer::sum));
          mine.addAll(going);
        }
      }
    }

    Verdict verdict() {
      if (!needing.isEmpty()) {
        giveUp();
      }
      return new Verdict(needing, thinned, thinned.size() == MOST, List.copyOf(mine));
    }

    /** Nothing is removed: others may count on all blocks. */
    final void giveUp() {
      release(mine);
      mine.clear();
    }

    /** Looks at a block's stripes, where the block is the first of those that are removed. */
    void look(BlockInfo block) throws IOException {
      for (Entry entry : index.all(block.getBlockId())) {
        if (entry.stripe().isSupported()) {
          look(entry, block.getBlockId());
        }
      }
    }

    /** Looks at a stripe; block 0 stands for any. The lock is held. */
    void look(Entry entry, long first) throws IOException {
      List<State> states = new ArrayList<>();
      boolean going = false;
      boolean left = false;
      for (Member member : entry.stripe().members()) {
        Optional<Held> held = StripeReader.held(host, member);
        boolean data = held.isPresent() && held.get().file().getId() != entry.inode();
        boolean goes = data && removed.test(held.get().file(), held.get().block());
        if (goes && !going && first != 0 && !member.isBlock(first)) {
          return;
        }
        going |= goes;
        left |=
            data && !goes && held.get().block().getReplication() == 1 && index.holds(entry, member);
        states.add(
            member.isVirtual() ? State.READABLE : state(entry, member, held.orElse(null), goes));
      }
      if (going && left && thinned.size() < MOST) {
        thinned.add(entry.stripe().id());
      }
      if (states.contains(State.LOST) && states.contains(State.GOING)) {
        cases.add(new Case(entry, states));
      }
    }

    private State state(Entry entry, Member member, @Nullable Held held, boolean goes) {
      if (held == null) {
        return State.ABSENT;
      }
      boolean readable = ReplicaView.readable(host, held.block());
      if (goes) {
        return readable ? State.GOING : State.ABSENT;
      }
      if (readable) {
        return State.READABLE;
      }
      boolean parity = held.file().getId() == entry.inode();
      return parity || !index.holds(entry, member) ? State.ABSENT : State.LOST;
    }
  }

  private interface Step {
    /** Looks at some more; false at the end. The lock is held. */
    boolean take() throws IOException;
  }

  private void walk(Walk walk, Step step) throws IOException {
    boolean more = true;
    while (more) {
      more = host.reading("braidRemoval", step::take);
      walk.judge();
    }
  }

  private static boolean isBelow(INode inode, INode top) {
    for (INode at = inode; at != null; at = at.getParent()) {
      if (at.getId() == top.getId()) {
        return true;
      }
    }
    return false;
  }

  private static Iterator<BlockInfo> blocks(INodeFile file) {
    return file.isStriped()
        ? Collections.emptyIterator()
        : Arrays.asList(file.getBlocks()).iterator();
  }

  /** A file, or all files below a directory, depth first. */
  private final class TreeWalk extends Walk {
    /** How far a directory was looked at: behind a name. */
    private record Place(long inode, byte @Nullable [] last) {}

    private final boolean directory;
    private final Deque<Place> places = new ArrayDeque<>();
    private Iterator<BlockInfo> blocks = Collections.emptyIterator();

    TreeWalk(String path, INode inode) {
      super(path, (file, block) -> isBelow(file, inode));
      enter(inode);
      directory = inode.isDirectory();
    }

    @Override
    boolean isLong() {
      return directory;
    }

    private void enter(INode inode) {
      if (inode.isDirectory()) {
        places.push(new Place(inode.getId(), null));
      } else if (inode.isFile()) {
        blocks = blocks(inode.asFile());
      }
    }

    @Override
    void walk() throws IOException {
      RemovalCheck.this.walk(this, this::step);
    }

    private boolean step() throws IOException {
      for (int i = 0; i < CHUNK; i++) {
        if (blocks.hasNext()) {
          look(blocks.next());
        } else if (places.isEmpty()) {
          return false;
        } else {
          advance(places.pop());
        }
      }
      return true;
    }

    /** To the next entry of a directory. */
    private void advance(Place place) {
      INode inode = host.namesystem().getFSDirectory().getInode(place.inode());
      if (inode == null || !inode.isDirectory()) {
        return; // removed meanwhile
      }
      ReadOnlyList<INode> children = inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
      int next = 0;
      if (place.last() != null) {
        int found = ReadOnlyList.Util.binarySearch(children, place.last());
        next = found >= 0 ? found + 1 : -found - 1;
      }
      if (next < children.size()) {
        INode child = children.get(next);
        places.push(new Place(place.inode(), child.getLocalNameBytes()));
        enter(child);
      }
    }
  }

  /** The blocks of a file that end behind a length. */
  private final class FileWalk extends Walk {
    private final Iterator<BlockInfo> blocks;

    FileWalk(String path, INode inode, long length) {
      this(path, tail(inode, length));
    }

    private FileWalk(String path, List<BlockInfo> going) {
      this(path, going, new HashSet<>(going));
    }

    private FileWalk(String path, List<BlockInfo> going, Set<BlockInfo> known) {
      super(path, (file, block) -> known.contains(block));
      blocks = going.iterator();
    }

    @Override
    boolean isLong() {
      return false;
    }

    private static List<BlockInfo> tail(INode inode, long length) {
      List<BlockInfo> going = new ArrayList<>();
      long end = 0;
      if (inode.isFile()) {
        for (Iterator<BlockInfo> i = blocks(inode.asFile()); i.hasNext(); ) {
          BlockInfo block = i.next();
          end += block.getNumBytes();
          if (end > length) {
            going.add(block);
          }
        }
      }
      return going;
    }

    @Override
    void walk() throws IOException {
      RemovalCheck.this.walk(this, this::step);
    }

    private boolean step() throws IOException {
      for (int i = 0; i < CHUNK && blocks.hasNext(); i++) {
        look(blocks.next());
      }
      return blocks.hasNext();
    }
  }

  /** What only snapshots of a directory have; which of them, HDFS alone knows. */
  private final class SnapshotWalk extends Walk {
    SnapshotWalk(String path) {
      // Its snapshots may have what was renamed since, and is below no directory any more.
      super(path, (file, block) -> !isPresent(file, block));
    }

    @Override
    boolean isLong() {
      return true;
    }

    @Override
    void walk() throws IOException {
      index.visit(
          "braidRemoval",
          "",
          entry -> {
            if (entry.stripe().isSupported()) {
              look(entry, 0);
            }
            return true;
          });
      judge();
    }
  }

  /** Whether a block is one of a file's that stands in the namespace. */
  private boolean isPresent(INodeFile file, BlockInfo block) {
    try {
      return Namespace.pathTo(host.namesystem().getFSDirectory(), file).isPresent()
          && Arrays.asList(file.getBlocks()).contains(block);
    } catch (IOException e) {
      return false;
    }
  }
}
