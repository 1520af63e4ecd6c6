package org.braid.hdfs.namenode.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.StorageView;
import org.braid.hdfs.namenode.sound.SoundNodes;
import org.braid.hdfs.namenode.sound.SoundStripes;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.stripe.StripeSums;
import org.jspecify.annotations.Nullable;

/** Lists stripes with the present locations of their blocks. */
public final class StripeLister {
  private static final int DEFAULT_LIMIT = 1000;

  /** Stripes looked at for one page. */
  private static final int MOST_VISITED = 20_000;

  /** Stripes decoded before the lock is held for them. */
  private static final int PART = 200;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final DamagedStripes damaged;
  private final ReaderRights rights;
  private final SoundNodes nodes;

  public StripeLister(NameNodeHost host, StripeIndex index, DamagedStripes damaged) {
    this.damaged = damaged;
    this.host = host;
    this.index = index;
    this.rights = new ReaderRights(host);
    this.nodes = new SoundNodes(host);
  }

  /**
   * Lists stripes. The reader of a file sees the stripes that it may decode, without file names:
   * who may read a file need not be permitted to list its directory.
   *
   * @param user user of the block tokens
   * @throws AccessControlException when the reader may not read the file, or names none and asks
   *     for tokens
   */
  public StripesResponseProto read(StripesRequestProto request, String user) throws IOException {
    if (request.getWithTokens() && !request.hasReadingPath()) {
      throw new AccessControlException(
          user + " asks for block tokens: who does must name the file that it reads");
    }
    String tokensFor = request.getWithTokens() ? user : null;
    StripesResponseProto.Builder response = StripesResponseProto.newBuilder().setMore(false);
    Set<Long> own =
        request.hasReadingPath()
            ? rights.check(request.getReadingPath(), request.getBlockIdsList())
            : Set.of();
    int limit = request.hasLimit() ? request.getLimit() : DEFAULT_LIMIT;
    if (request.getBlockIdsCount() > 0) {
      Map<Long, Entry> entries = new LinkedHashMap<>(); // each once
      index.of(request.getBlockIdsList()).values().forEach(e -> entries.put(e.inode(), e));
      boolean named = !request.hasReadingPath() || rights.isSuperuser();
      for (Entry entry : entries.values()) {
        if (!request.hasReadingPath() || rights.mayDecode(entry, own)) {
          StripeStatus status = host.reading("braidStripes", () -> status(entry, tokensFor));
          response.addStripes(StatusCodec.toProto(named ? status : status.withoutNames()));
        }
      }
      return response.build();
    }
    if (isFirst(request) && !request.getNoted()) {
      index.catchUp();
    }
    if (request.getSummed()) {
      return summed(request.getAfter());
    }
    list(request, limit, tokensFor, response);
    return response.build();
  }

  private StripesResponseProto summed(String after) throws IOException {
    StripeSums sums = new StripeSums();
    String last = StripeReader.sum(host, index, after, sums);
    StripesResponseProto.Builder response =
        StripesResponseProto.newBuilder().setMore(last != null).setSums(sums.toProto());
    return last == null ? response.build() : response.setLast(last).build();
  }

  /** Adds the stripes of a page, of which some are looked at only. */
  private void list(
      StripesRequestProto request,
      int limit,
      @Nullable String tokensFor,
      StripesResponseProto.Builder response)
      throws IOException {
    int[] visited = new int[1];
    Optional<SoundStripes> sound =
        request.hasUnsoundOn()
            ? nodes.seen(request.getUnsoundOn()).map(seen -> new SoundStripes(host, seen))
            : Optional.empty();
    StripeIndex.Visitor visitor =
        entry -> {
          if (response.getStripesCount() == limit || visited[0] == MOST_VISITED) {
            response.setMore(true);
            return false;
          }
          if (request.hasBefore() && entry.stripe().id().compareTo(request.getBefore()) >= 0) {
            return false;
          }
          visited[0]++;
          response.setLast(entry.stripe().id());
          boolean wanted =
              (!request.getDamaged() || damaged(entry))
                  && (!request.getThinned() || thinned(entry))
                  && !(request.getNotable() && isPlain(entry))
                  && !(sound.isPresent() && isLatest(entry) && sound.get().isSound(entry));
          if (wanted) {
            StripeStatus status = status(entry, tokensFor);
            if (!request.getNotable() || status.isNotable()) {
              response.addStripes(StatusCodec.toProto(status));
            }
          }
          return true;
        };
    if (request.getThinned() && request.getNoted()) {
      noted(request.getAfter(), limit, visitor, response);
      return;
    }
    if (request.getDamaged() && request.hasBehind()) {
      Optional<RepairOrder> order = damaged.inOrder(isFirst(request));
      if (order.isPresent()) {
        inOrder(order.get(), request, visitor, response);
        return;
      }
    }
    // What was listed in another order is listed again.
    String after = request.hasBehind() ? "" : request.getAfter();
    index.visit("braidStripes", after, visitor);
  }

  private static boolean isFirst(StripesRequestProto request) {
    return !request.hasAfter() && request.getBehind() == 0;
  }

  /** Visits the stripes of a page in the order of repair. */
  private void inOrder(
      RepairOrder order,
      StripesRequestProto request,
      StripeIndex.Visitor visitor,
      StripesResponseProto.Builder response)
      throws IOException {
    long before =
        request.hasWorseThan() ? RepairOrder.alike(request.getWorseThan()) : Long.MAX_VALUE;
    long[] places = order.next(request.getBehind(), before, PART);
    while (places.length > 0) {
      List<Entry> entries = new ArrayList<>();
      Map<Long, Long> placeOf = new HashMap<>();
      for (long place : places) {
        long file = RepairOrder.fileAt(place);
        index.ofFile(file).ifPresent(entries::add);
        placeOf.put(file, place);
      }
      StripeIndex.Visitor placed =
          entry -> {
            boolean visited = visitor.visit(entry);
            if (visited) {
              response.setPlace(Objects.requireNonNull(placeOf.get(entry.inode())));
            }
            return visited;
          };
      places =
          index.visit("braidStripes", entries, placed)
              ? order.next(places[places.length - 1], before, PART)
              : new long[0];
    }
  }

  /** Visits the stripes of a page that are known to have lost data blocks. */
  private void noted(
      String after, int limit, StripeIndex.Visitor visitor, StripesResponseProto.Builder response)
      throws IOException {
    List<String> ids = index.totals().thinnedAfter(after, limit + 1);
    List<Entry> entries = new ArrayList<>();
    for (String id : ids.subList(0, Math.min(limit, ids.size()))) {
      index.published(id).ifPresent(entries::add);
    }
    index.visit("braidStripes", entries, visitor);
    if (ids.size() > limit) {
      response.setMore(true).setLast(ids.get(limit - 1));
    }
  }

  /** Whether it is soon clear that there is nothing to say of a stripe that its files do not. */
  private boolean isPlain(Entry entry) throws IOException {
    if (!entry.stripe().isSupported()
        || host.namesystem().getSnapshotManager().getNumSnapshots() > 0) {
      return false;
    }
    for (Member member : entry.stripe().members().subList(0, entry.stripe().code().k())) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent() && !held.get().isReplicated() && index.holds(entry, member)) {
        return true; // what only snapshots have there is none
      }
    }
    return false;
  }

  /** Whether all blocks of a stripe are in no later one. */
  private boolean isLatest(Entry entry) {
    for (Member member : entry.stripe().members()) {
      if (!member.isVirtual()) {
        int number = index.number(member.block().id());
        if (number < 0 || index.fileOf(number) != entry.inode()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether some data blocks are gone and others are in no later stripe. */
  private boolean thinned(Entry entry) throws IOException {
    if (!entry.stripe().isSupported()) {
      return false;
    }
    boolean gone = false;
    boolean left = false;
    for (Member member : entry.stripe().members().subList(0, entry.stripe().code().k())) {
      if (!member.isVirtual()) {
        Optional<Held> held = StripeReader.held(host, member);
        gone |= held.isEmpty();
        left |= held.isPresent() && index.holds(entry, member) && !held.get().isReplicated();
      }
    }
    return gone && left;
  }

  private boolean damaged(Entry entry) throws IOException {
    for (Member member : entry.stripe().members()) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isEmpty() || !index.holds(entry, member)) {
        continue; // zeros, gone for good, or in a later stripe
      }
      List<ReplicaView> good =
          ReplicaView.of(host.blocks(), held.get().block()).stream()
              .filter(replica -> replica.good() && !replica.suspect(host))
              .toList();
      boolean single = held.get().block().getReplication() == 1;
      if (good.isEmpty()
          || (single && (good.size() > 1 || !good.get(0).uuid().equals(member.home())))) {
        return true;
      }
    }
    return false;
  }

  private StripeStatus status(Entry entry, @Nullable String tokensFor) throws IOException {
    List<MemberStatus> members = new ArrayList<>();
    for (Member member : entry.stripe().members()) {
      members.add(status(entry, member, tokensFor));
    }
    return new StripeStatus(entry.stripe(), entry.path(), entry.inode(), members);
  }

  private MemberStatus status(Entry entry, Member member, @Nullable String tokensFor)
      throws IOException {
    Optional<Held> found = StripeReader.held(host, member);
    if (found.isEmpty()) {
      return MemberStatus.GONE;
    }
    Held held = found.get();
    return new MemberStatus(
        ReplicaView.status(host.blocks(), held.block()),
        held.file().getFullPathName(),
        held.file().getId(),
        false,
        held.isCutOff()
            || Namespace.pathTo(host.namesystem().getFSDirectory(), held.file()).isEmpty(),
        held.file().getFileReplication(),
        held.isOneInSnapshots(),
        !index.holds(entry, member),
        token(held, tokensFor),
        StorageView.of(host, held.file()));
  }

  private ByteString token(Held held, @Nullable String user) throws IOException {
    BlockTokenSecretManager tokens = host.blocks().getBlockTokenSecretManager();
    return user == null || tokens == null
        ? ByteString.EMPTY
        : BlockTokens.encode(
            tokens.generateToken(
                user,
                new ExtendedBlock(host.namesystem().getBlockPoolId(), held.block()),
                EnumSet.of(AccessMode.READ),
                storageTypes(held.block()),
                storageIds(held.block())));
  }

  private StorageType[] storageTypes(BlockInfo block) {
    return ReplicaView.of(host.blocks(), block).stream()
        .map(replica -> replica.storage().getStorageType())
        .toArray(StorageType[]::new);
  }

  private String[] storageIds(BlockInfo block) {
    List<String> ids = new ArrayList<>();
    for (ReplicaView replica : ReplicaView.of(host.blocks(), block)) {
      ids.add(replica.storage().getStorageID());
    }
    return ids.toArray(String[]::new);
  }
}
