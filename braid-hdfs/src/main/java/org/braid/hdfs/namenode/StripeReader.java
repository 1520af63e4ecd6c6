package org.braid.hdfs.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.jspecify.annotations.Nullable;

/** Answers what stripes there are and where their blocks are now. */
final class StripeReader {
  private static final int DEFAULT_LIMIT = 1000;

  /** Stripes looked at in one hold of the lock. */
  private static final int CHUNK = 500;

  private final NameNodeHost host;
  private final StripeIndex index;

  StripeReader(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /**
   * Lists stripes.
   *
   * @param user for whom tokens are made
   */
  StripesResponseProto read(StripesRequestProto request, String user) throws IOException {
    String tokensFor = request.getWithTokens() ? user : null;
    StripesResponseProto.Builder response = StripesResponseProto.newBuilder().setMore(false);
    Collection<Entry> entries;
    if (request.getBlockIdsCount() > 0) {
      entries = index.of(request.getBlockIdsList());
    } else {
      if (!request.hasAfter() && !request.getDamaged()) {
        index.refresh();
      }
      index.ensure();
      entries = index.knownAfter(request.getAfter());
    }
    if (request.getDamaged()) {
      entries = damaged(List.copyOf(entries));
    }
    int limit = request.hasLimit() ? request.getLimit() : DEFAULT_LIMIT;
    for (Entry entry : entries) {
      if (response.getStripesCount() == limit && request.getBlockIdsCount() == 0) {
        return response.setMore(true).build();
      }
      response.addStripes(host.reading("braidStripes", () -> status(entry, tokensFor)));
    }
    return response.build();
  }

  private List<Entry> damaged(List<Entry> entries) throws IOException {
    List<Entry> found = new ArrayList<>();
    for (int from = 0; from < entries.size(); from += CHUNK) {
      List<Entry> chunk = entries.subList(from, Math.min(entries.size(), from + CHUNK));
      host.reading(
          "braidDamaged",
          () -> {
            for (Entry entry : chunk) {
              if (damaged(entry)) {
                found.add(entry);
              }
            }
            return found;
          });
    }
    return found;
  }

  private boolean damaged(Entry entry) throws IOException {
    for (MemberProto member : entry.stripe().getMembersList()) {
      Optional<Held> held = held(host, member);
      if (held.isEmpty()) {
        continue; // zeros, or gone for good
      }
      List<ReplicaView> good =
          ReplicaView.of(host.blocks(), held.get().block()).stream()
              .filter(replica -> replica.good() && !replica.suspect(host))
              .toList();
      boolean single = held.get().block().getReplication() == 1;
      if (good.isEmpty()
          || (single && (good.size() > 1 || !good.get(0).uuid().equals(member.getHome())))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refuses a reader who may not read a file, or who asks for blocks that are not the file's.
   *
   * @throws AccessControlException when permission is missing
   */
  void checkReader(String path, List<Long> blockIds) throws IOException {
    if (blockIds.isEmpty()) {
      throw new AccessControlException("a reader of " + path + " must name the blocks it reads");
    }
    host.calls().checkAccess(path, FsAction.READ);
    Set<Long> owned = new HashSet<>();
    host.reading(
        "braidReader",
        () -> {
          INode inode =
              host.namesystem().getFSDirectory().unprotectedResolvePath(path).getLastINode();
          if (inode == null || !inode.isFile()) {
            throw new FileNotFoundException("File does not exist: " + path);
          }
          for (BlockInfo block : inode.asFile().getBlocks()) {
            owned.add(block.getBlockId());
          }
          return owned;
        });
    for (long id : blockIds) {
      if (!owned.contains(id)) {
        throw new AccessControlException("block blk_" + id + " is not a block of " + path);
      }
    }
  }

  private StripeStatusProto status(Entry entry, @Nullable String tokensFor) throws IOException {
    StripeStatusProto.Builder status =
        StripeStatusProto.newBuilder()
            .setStripe(entry.stripe())
            .setParityPath(entry.path())
            .setParityInode(entry.inode());
    for (MemberProto member : entry.stripe().getMembersList()) {
      status.addMembers(status(member, tokensFor));
    }
    return status.build();
  }

  private MemberStatusProto status(MemberProto member, @Nullable String tokensFor)
      throws IOException {
    Optional<Held> found = held(host, member);
    if (found.isEmpty()) {
      return MemberStatusProto.newBuilder().setGone(true).build();
    }
    Held held = found.get();
    MemberStatusProto.Builder status =
        MemberStatusProto.newBuilder()
            .setStatus(ReplicaView.status(host.blocks(), held.block()))
            .setPath(held.file().getFullPathName())
            .setInode(held.file().getId())
            .setGone(false)
            .setFileReplication(held.file().getFileReplication());
    BlockTokenSecretManager tokens = host.blocks().getBlockTokenSecretManager();
    if (tokensFor != null && tokens != null) {
      status.setToken(
          BlockTokens.encode(
              tokens.generateToken(
                  tokensFor,
                  new ExtendedBlock(host.namesystem().getBlockPoolId(), held.block()),
                  EnumSet.of(AccessMode.READ),
                  storageTypes(held.block()),
                  storageIds(held.block()))));
    }
    return status.build();
  }

  /** A member's block and the file that owns it. */
  record Held(BlockInfo block, INodeFile file) {}

  /** The block of a member if it still is as recorded and belongs to a file. */
  static Optional<Held> held(NameNodeHost host, MemberProto member) throws IOException {
    if (!member.hasBlock()) {
      return Optional.empty();
    }
    Optional<BlockInfo> stored = ReplicaView.stored(host.blocks(), member.getBlock().getId());
    if (stored.isEmpty() || !ReplicaView.same(stored.get(), member.getBlock())) {
      return Optional.empty();
    }
    INodeFile file = host.namesystem().getBlockCollection(stored.get().getBlockCollectionId());
    return file == null ? Optional.empty() : Optional.of(new Held(stored.get(), file));
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
