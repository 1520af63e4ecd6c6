package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;
import org.braid.hdfs.proto.BraidProtos.StoragePolicyProto;
import org.braid.hdfs.proto.BraidProtos.StorageRoomProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;

/** Converts the NameNode's knowledge of stripes, files and DataNodes into messages, and back. */
public final class StatusCodec {
  private StatusCodec() {}

  /** A stripe with its blocks as a message; a stripe of a later version as it is recorded. */
  public static StripeStatusProto toProto(StripeStatus status) {
    StripeStatusProto.Builder proto =
        StripeStatusProto.newBuilder()
            .setStripe(StripeCodec.recorded(status.stripe()))
            .setParityPath(status.parityPath())
            .setParityInode(status.parityInode());
    status.members().forEach(member -> proto.addMembers(toProto(member)));
    return proto.build();
  }

  private static MemberStatusProto toProto(MemberStatus member) {
    if (member.gone()) {
      return MemberStatusProto.newBuilder().setGone(true).build();
    }
    MemberStatusProto.Builder proto =
        MemberStatusProto.newBuilder()
            .setStatus(toProto(member.status()))
            .setPath(member.path())
            .setInode(member.inode())
            .setGone(false)
            .setOnlyInSnapshots(member.onlyInSnapshots())
            .setFileReplication(member.fileReplication())
            .setOneInSnapshots(member.oneInSnapshots())
            .setReencoded(member.reencoded());
    if (!member.token().isEmpty()) {
      proto.setToken(member.token());
    }
    if (!member.storage().equals(StoragePolicy.HOT)) {
      proto.setStoragePolicy(toProto(member.storage()));
    }
    return proto.build();
  }

  /** The stripe of a message and its blocks. */
  public static StripeStatus of(StripeStatusProto proto) {
    Stripe stripe = StripeCodec.of(proto.getStripe());
    List<MemberStatusProto> members = proto.getMembersList();
    return new StripeStatus(
        stripe,
        proto.getParityPath(),
        proto.getParityInode(),
        IntStream.range(0, stripe.size())
            .mapToObj(i -> i < members.size() ? of(members.get(i)) : MemberStatus.GONE)
            .toList());
  }

  private static MemberStatus of(MemberStatusProto proto) {
    return proto.getGone() || !proto.hasStatus()
        ? MemberStatus.GONE
        : new MemberStatus(
            of(proto.getStatus()),
            proto.getPath(),
            proto.getInode(),
            false,
            proto.getOnlyInSnapshots(),
            proto.getFileReplication(),
            proto.getOneInSnapshots(),
            proto.getReencoded(),
            proto.getToken(),
            proto.hasStoragePolicy() ? of(proto.getStoragePolicy()) : StoragePolicy.HOT);
  }

  private static StoragePolicyProto toProto(StoragePolicy policy) {
    return StoragePolicyProto.newBuilder()
        .setName(policy.name())
        .setType(policy.type())
        .addAllCreationFallbacks(policy.creationFallbacks())
        .addAllReplicationFallbacks(policy.replicationFallbacks())
        .build();
  }

  private static StoragePolicy of(StoragePolicyProto proto) {
    return new StoragePolicy(
        proto.getName().intern(),
        proto.getType().intern(),
        proto.getCreationFallbacksList().stream().map(String::intern).toList(),
        proto.getReplicationFallbacksList().stream().map(String::intern).toList());
  }

  private static BlockStatusProto toProto(BlockStatus status) {
    BlockStatusProto.Builder proto =
        BlockStatusProto.newBuilder()
            .setBlock(StripeCodec.toProto(status.block()))
            .setExpected(status.expected())
            .setComplete(status.complete())
            .addAllGoing(status.going());
    for (Replica replica : status.replicas()) {
      ReplicaProto.Builder one =
          ReplicaProto.newBuilder()
              .setNode(replica.node())
              .setStale(replica.stale())
              .setCorrupt(replica.corrupt())
              .setLive(replica.live());
      if (!replica.storage().equals(StoragePolicy.DISK)) {
        one.setStorageType(replica.storage());
      }
      proto.addReplicas(one);
    }
    return proto.build();
  }

  private static BlockStatus of(BlockStatusProto proto) {
    return new BlockStatus(
        StripeCodec.of(proto.getBlock()),
        proto.getReplicasList().stream().map(StatusCodec::of).toList(),
        proto.getExpected(),
        proto.getComplete(),
        List.copyOf(proto.getGoingList()));
  }

  private static Replica of(ReplicaProto proto) {
    return new Replica(
        proto.getNode().intern(),
        proto.getStale(),
        proto.getCorrupt(),
        proto.getLive(),
        proto.hasStorageType() ? proto.getStorageType().intern() : StoragePolicy.DISK);
  }

  /** A file as a message. */
  public static FileProto toProto(StoredFile file) {
    FileProto.Builder proto =
        FileProto.newBuilder()
            .setPath(file.path())
            .setInode(file.inode())
            .setLength(file.length())
            .setBlockSize(file.blockSize())
            .setReplication(file.replication())
            .addAllObstacles(file.obstacles())
            .setReaders(file.readers())
            .setOwner(file.usage().owner())
            .setModified(file.usage().modified())
            .setAccessed(file.usage().accessed());
    file.blocks().forEach(block -> proto.addBlocks(toProto(block)));
    file.across().ifPresent(proto::setAcross);
    if (file.usage().striped() > 0) {
      proto.setStriped(file.usage().striped());
    }
    if (!file.storage().equals(StoragePolicy.HOT)) {
      proto.setStoragePolicy(toProto(file.storage()));
    }
    return proto.build();
  }

  /** The file of a message. */
  public static StoredFile of(FileProto proto) {
    return new StoredFile(
        proto.getPath(),
        proto.getInode(),
        proto.getLength(),
        proto.getBlockSize(),
        proto.getReplication(),
        proto.getBlocksList().stream().map(StatusCodec::of).toList(),
        List.copyOf(proto.getObstaclesList()),
        proto.getReaders().intern(), // many files have the same
        proto.hasAcross() ? Optional.of(proto.getAcross().intern()) : Optional.empty(),
        new StoredFile.Usage(
            proto.getOwner().intern(),
            proto.getModified(),
            proto.getAccessed(),
            proto.getStriped()),
        proto.hasStoragePolicy() ? of(proto.getStoragePolicy()) : StoragePolicy.HOT);
  }

  /** A DataNode as a message. */
  public static DatanodeProto toProto(Datanode node) {
    DatanodeProto.Builder proto =
        DatanodeProto.newBuilder()
            .setUuid(node.uuid())
            .setHost(node.host())
            .setIp(node.ip())
            .setIpcPort(node.ipcPort())
            .setTransferPort(node.transferPort())
            .setRack(node.rack())
            .setRemaining(node.remaining())
            .setLive(node.live())
            .setInService(node.inService())
            .setHeartbeatAgeMillis(node.heartbeatAgeMillis())
            .setSuspect(node.suspect());
    node.unreportedMillis().ifPresent(proto::setUnreportedMillis);
    node.upgradeDomain().ifPresent(proto::setUpgradeDomain);
    node.storages()
        .forEach(
            (type, bytes) ->
                proto.addStorages(StorageRoomProto.newBuilder().setType(type).setRemaining(bytes)));
    if (!node.blockPool().isEmpty()) {
      proto.setBlockPool(node.blockPool());
    }
    return proto.build();
  }

  /** The id of the stripe in a message, without parsing the rest. */
  public static String id(StripeStatusProto proto) {
    return proto.getStripe().getId();
  }

  /** The DataNode of a message. */
  public static Datanode of(DatanodeProto proto) {
    Datanode.Builder node =
        Datanode.builder(proto.getUuid())
            .host(proto.getHost())
            .ip(proto.getIp())
            .ipcPort(proto.getIpcPort())
            .transferPort(proto.getTransferPort())
            .rack(proto.getRack())
            .remaining(proto.getRemaining())
            .live(proto.getLive())
            .inService(proto.getInService())
            .heartbeatAgeMillis(proto.getHeartbeatAgeMillis())
            .suspect(proto.getSuspect())
            .blockPool(proto.getBlockPool())
            .storages(
                proto.getStoragesList().stream()
                    .collect(
                        Collectors.toMap(
                            room -> room.getType().intern(),
                            StorageRoomProto::getRemaining,
                            Long::sum)));
    if (proto.hasUnreportedMillis()) {
      node.unreportedMillis(proto.getUnreportedMillis());
    }
    return proto.hasUpgradeDomain()
        ? node.upgradeDomain(proto.getUpgradeDomain()).build()
        : node.build();
  }
}
