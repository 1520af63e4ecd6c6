package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.calls.RemovalEffect.Copies;
import org.braid.hdfs.namenode.calls.RemovalEffect.Part;
import org.braid.hdfs.namenode.host.KnownCopies;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeHost.Work;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.ShortHold;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;

/**
 * Scans the removed blocks in short holds of the NameNode's lock, and judges each of their stripes.
 */
abstract class RemovalWalk {
  /** Stripes that are named; the protector of stripes finds the others by blocks that are gone. */
  private static final int MOST = 1000;

  /**
   * The environment of a scan.
   *
   * @param leaving blocks of pending removals
   * @param nanos a clock that never runs backwards
   */
  record Ground(NameNodeHost host, StripeIndex index, BlockCounts leaving, LongSupplier nanos) {
    /** Begins a scan of a removal; empty when it removes nothing. The lock is held. */
    Optional<RemovalWalk> begin(Removal removal) throws IOException {
      INode inode = host.inode(removal.path());
      if (inode == null) {
        return Optional.empty();
      }
      String top = inode.getFullPathName();
      if (top.equals(BraidPaths.ROOT) || top.startsWith(BraidPaths.ROOT + "/")) {
        return Optional.empty();
      }
      if (top.equals("/") && removal.kind() == Removal.Kind.TREE) {
        return Optional.empty(); // HDFS deletes it for nobody, and anybody may call for that
      }
      return Optional.of(
          switch (removal.kind()) {
            case TREE -> new TreeWalk(this, top, inode);
            case FILE, REPLACED, CONTENT, TAIL -> new FileWalk(this, top, inode, removal.length());
            case SNAPSHOT -> new SnapshotWalk(this, top);
          });
    }

    /** Whether a block is one of a file's that stands in the namespace. */
    private boolean isPresent(INodeFile file, BlockInfo block) {
      try {
        return Namespace.pathTo(host.namesystem().getFSDirectory(), file).isPresent()
            && Namespace.has(file.getBlocks(), block);
      } catch (IOException e) {
        return false;
      }
    }
  }

  /**
   * A stripe and its blocks.
   *
   * @param owing by position the nodes that have yet to report whether they still have copies
   */
  private record Case(Entry entry, List<Part> parts, Map<Integer, Set<DatanodeDescriptor>> owing) {}

  private final Ground ground;
  private final String top;
  private final BiPredicate<INodeFile, BlockInfo> removed;
  private final Set<Long> needing = new LinkedHashSet<>();
  private final Set<Long> bare = new LinkedHashSet<>();
  private final Set<String> thinned = new LinkedHashSet<>();
  private final List<Long> mine = new ArrayList<>();
  private final Set<DatanodeDescriptor> owing = new HashSet<>();

  /** Stripes that keep some blocks and lose others, still to be judged without the lock. */
  private final List<Case> cases = new ArrayList<>();

  /** The stripe that was looked at last in this hold of the lock, with the first that it loses. */
  private @Nullable Entry last;

  private boolean cutShort;

  /** Blocks and directory entries looked at so far. */
  private long looked;

  private RemovalWalk(Ground ground, String top, BiPredicate<INodeFile, BlockInfo> removed) {
    this.ground = ground;
    this.top = top;
    this.removed = removed;
  }

  final Ground ground() {
    return ground;
  }

  /** The path of the removal. */
  final String top() {
    return top;
  }

  /**
   * Scans all blocks, in short holds of the lock.
   *
   * @param most number of blocks and directory entries after which the scan stops
   */
  abstract void walk(long most) throws IOException;

  /** Scans in steps, with a limit. */
  final void walk(Work<Boolean> step, long most) throws IOException {
    boolean more = true;
    while (more && looked < most) {
      more = ground.host.reading("braidRemoval", () -> hold(step));
      judge();
    }
    cutShort = more;
  }

  private boolean hold(Work<Boolean> step) throws IOException {
    ShortHold hold = new ShortHold(ground.nanos);
    last = null;
    boolean more;
    do {
      more = step.run();
      looked++;
    } while (more && !hold.isOver());
    return more;
  }

  /** Notes that the scan stopped early: other blocks may be affected. */
  final void cutShort() {
    cutShort = true;
  }

  /** Judges the stripes of the last hold of the lock; the lock is free now. */
  final void judge() {
    for (Case seen : cases) {
      judge(seen);
    }
    cases.clear();
  }

  private void judge(Case seen) {
    List<Member> members = seen.entry().stripe().members();
    List<Part> parts = new ArrayList<>(seen.parts());
    List<Long> going = new ArrayList<>();
    synchronized (ground.leaving) {
      for (int i = 0; i < parts.size(); i++) {
        long id = members.get(i).isVirtual() ? 0 : members.get(i).block().id();
        if (parts.get(i).goes()) {
          going.add(id);
        } else if (parts.get(i).copies() != Copies.NONE && ground.leaving.contains(id)) {
          parts.set(i, Part.ABSENT);
        }
      }
      RemovalEffect effect = new RemovalEffect(seen.entry().stripe().code(), parts);
      Set<Integer> lost = effect.lostWithout();
      lost.forEach(i -> needing.add(members.get(i).block().id()));
      for (int i : effect.bareWithout()) {
        bare.add(members.get(i).block().id());
        owing.addAll(seen.owing().getOrDefault(i, Set.of()));
      }
      if (lost.isEmpty()) {
        ground.leaving.add(going);
        mine.addAll(going);
      }
    }
  }

  Verdict verdict() {
    if (!needing.isEmpty()) {
      giveUp();
    }
    boolean many = cutShort || thinned.size() == MOST;
    return new Verdict(needing, bare, thinned, many, List.copyOf(mine), looked, owing);
  }

  /** Gives the removal up: other removals may rely on its blocks again. */
  final void giveUp() {
    ground.leaving.remove(mine);
    mine.clear();
  }

  /** Looks at a block's stripes, where the block is the first of those that are removed. */
  void look(BlockInfo block) throws IOException {
    if (last != null && ground.index.isOnlyIn(last, block.getBlockId())) {
      return;
    }
    for (Entry entry : ground.index.all(block.getBlockId())) {
      if (entry.stripe().isSupported() && look(entry, block.getBlockId())) {
        last = ground.index.isIndexed(entry) ? entry : null;
      }
    }
  }

  /**
   * Looks at a stripe; block 0 stands for any. The lock is held.
   *
   * @return whether it was looked at: the block is the first of those that are removed
   */
  boolean look(Entry entry, long first) throws IOException {
    List<Member> members = entry.stripe().members();
    List<Optional<Held>> held = new ArrayList<>();
    BitSet stays = new BitSet();
    BitSet goes = new BitSet();
    for (int i = 0; i < members.size(); i++) {
      Optional<Held> found = StripeReader.held(ground.host, members.get(i));
      held.add(found);
      if (found.isEmpty() || found.get().file().getId() == entry.inode()) {
        continue;
      }
      boolean going = removed.test(found.get().file(), found.get().block());
      if (going && goes.isEmpty() && first != 0 && !members.get(i).isBlock(first)) {
        return false;
      }
      (going ? goes : stays).set(i);
    }
    if (goes.isEmpty()) {
      return true;
    }
    if (thinned.size() < MOST) {
      thinned.add(entry.stripe().id());
    }
    // Where all data goes, which is most of what a directory takes, nothing relies on copies.
    for (int i = stays.nextSetBit(0); i >= 0; i = stays.nextSetBit(i + 1)) {
      stays.set(i, ground.index.holds(entry, members.get(i)));
    }
    if (stays.isEmpty()) {
      return true;
    }
    List<Part> parts = new ArrayList<>();
    Map<Integer, Set<DatanodeDescriptor>> unsure = new HashMap<>();
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).isVirtual() || held.get(i).isEmpty()) {
        parts.add(members.get(i).isVirtual() ? Part.VIRTUAL : Part.ABSENT);
        continue;
      }
      KnownCopies known =
          KnownCopies.of(ground.host, held.get(i).get().block(), ReplicaView::usable);
      boolean relies = stays.get(i) && known.certain() <= 1;
      parts.add(new Part(copies(known), goes.get(i), relies));
      if (relies && !known.owing().isEmpty()) {
        unsure.put(i, known.owing());
      }
    }
    if (parts.stream().anyMatch(Part::relies)) {
      cases.add(new Case(entry, parts, unsure));
    }
    return true;
  }

  private static Copies copies(KnownCopies known) {
    return known.readable() > 0
        ? Copies.READABLE
        : known.silent() > 0 ? Copies.SILENT : Copies.NONE;
  }

  /**
   * Whether an inode stands at or below another one: what only snapshots have keeps its parents.
   */
  private static boolean isBelow(NameNodeHost host, INode inode, INode top) {
    boolean none = host.namesystem().getNumSnapshots() == 0;
    INode at = inode;
    while (at != null && at.getId() != top.getId()) {
      INodeDirectory parent = at.getParent();
      at = parent != null && (none || Namespace.isIn(parent, at)) ? parent : null;
    }
    return at != null;
  }

  private static boolean hasNow(INodeFile file, BlockInfo block) {
    return file.getFileWithSnapshotFeature() == null || Namespace.has(file.getBlocks(), block);
  }

  private static Iterator<BlockInfo> blocks(INodeFile file) {
    return file.isStriped()
        ? Collections.emptyIterator()
        : Arrays.asList(file.getBlocks()).iterator();
  }

  /** A file, or all files below a directory, depth first. */
  private static final class TreeWalk extends RemovalWalk {
    private final TreeCursor inodes;
    private Iterator<BlockInfo> blocks = Collections.emptyIterator();

    TreeWalk(Ground ground, String path, INode inode) {
      // What is taken for removed and is not gone through would hide what goes with it.
      super(
          ground, path, (file, block) -> isBelow(ground.host, file, inode) && hasNow(file, block));
      inodes = new TreeCursor(ground.host.namesystem().getFSDirectory(), inode);
    }

    @Override
    void walk(long most) throws IOException {
      walk(this::step, most);
    }

    private boolean step() throws IOException {
      if (blocks.hasNext()) {
        look(blocks.next());
        return true;
      }
      Optional<INode> inode = inodes.next();
      if (inode.isPresent() && inode.get().isFile()) {
        blocks = blocks(inode.get().asFile());
      }
      return inode.isPresent();
    }
  }

  /** The blocks of a file that end behind a length. */
  private static final class FileWalk extends RemovalWalk {
    private final Iterator<BlockInfo> blocks;

    FileWalk(Ground ground, String path, INode inode, long length) {
      this(ground, path, tail(inode, length));
    }

    private FileWalk(Ground ground, String path, List<BlockInfo> going) {
      this(ground, path, going, new HashSet<>(going));
    }

    private FileWalk(Ground ground, String path, List<BlockInfo> going, Set<BlockInfo> known) {
      super(ground, path, (file, block) -> known.contains(block));
      blocks = going.iterator();
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
    void walk(long most) throws IOException {
      walk(this::step, most);
    }

    private boolean step() throws IOException {
      if (blocks.hasNext()) {
        look(blocks.next());
      }
      return blocks.hasNext();
    }
  }

  /**
   * What only snapshots of a directory have; which of them, HDFS alone knows. Of all stripes those
   * are looked at that have a block without a copy that can be read: no others need anything.
   */
  private static final class SnapshotWalk extends RemovalWalk {
    /** Whether copies in a storage can be read unless they are bad themselves, as it was first. */
    private final IdentityHashMap<DatanodeStorageInfo, Boolean> sound = new IdentityHashMap<>();

    SnapshotWalk(Ground ground, String path) {
      // Its snapshots may have what was renamed since, and is below no directory any more.
      super(ground, path, (file, block) -> !ground.isPresent(file, block));
    }

    @Override
    void walk(long most) throws IOException {
      Ground ground = ground();
      StripeReader.find(
          ground.host,
          ground.index,
          "braidRemoval",
          this::isUnreadable,
          page -> {
            ground.index.visit("braidRemoval", page, this::visit);
            judge();
          });
      cutShort();
    }

    private boolean visit(Entry entry) throws IOException {
      if (entry.stripe().isSupported()) {
        var unused = look(entry, 0);
      }
      return true;
    }

    private boolean isUnreadable(long id) {
      Optional<BlockInfo> block = ReplicaView.stored(ground().host.blocks(), id);
      return block.isPresent() && !isReadable(block.get());
    }

    private boolean isReadable(BlockInfo block) {
      NameNodeHost host = ground().host;
      if (host.blocks().getCorruptReplicas(block) == null) {
        for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
          DatanodeStorageInfo storage = i.next();
          if (storage != null
              && sound.computeIfAbsent(storage, this::isSound)
              && !host.blocks().isExcess(storage.getDatanodeDescriptor(), block)) {
            return true;
          }
        }
      }
      return ReplicaView.readable(host, block);
    }

    private boolean isSound(DatanodeStorageInfo storage) {
      ReplicaView any = new ReplicaView(storage, false, false);
      return any.usable() && !any.suspect(ground().host);
    }
  }
}
