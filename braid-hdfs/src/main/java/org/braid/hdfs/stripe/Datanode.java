package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A DataNode as the NameNode knows it. Immutable. */
public final class Datanode {
  private final String uuid;
  private final String host;
  private final String ip;
  private final int ipcPort;
  private final int transferPort;
  private final String rack;
  private final long remaining;
  private final boolean live;
  private final boolean inService;
  private final long heartbeatAgeMillis;
  private final boolean suspect;
  private final OptionalLong unreportedMillis;
  private final Optional<String> upgradeDomain;
  private final String blockPool;
  private final Map<String, Long> storages;

  private Datanode(Builder known) {
    uuid = known.uuid;
    host = Objects.requireNonNull(known.host, "host");
    ip = Objects.requireNonNull(known.ip, "ip");
    ipcPort = known.ipcPort;
    transferPort = known.transferPort;
    rack = Objects.requireNonNull(known.rack, "rack");
    remaining = known.remaining;
    live = known.live;
    inService = known.inService;
    heartbeatAgeMillis = known.heartbeatAgeMillis;
    suspect = known.suspect;
    unreportedMillis = known.unreportedMillis;
    upgradeDomain = known.upgradeDomain;
    blockPool = known.blockPool;
    storages = known.storages;
  }

  /**
   * Builds a DataNode, which is live and in service by default; host, IP and rack are mandatory.
   */
  public static Builder builder(String uuid) {
    return new Builder(uuid);
  }

  public String uuid() {
    return uuid;
  }

  /** Its host name as HDFS prints it. */
  public String host() {
    return host;
  }

  public String ip() {
    return ip;
  }

  public int ipcPort() {
    return ipcPort;
  }

  public int transferPort() {
    return transferPort;
  }

  /** Its network location. */
  public String rack() {
    return rack;
  }

  /** Free bytes. */
  public long remaining() {
    return remaining;
  }

  public boolean live() {
    return live;
  }

  /** Whether it is neither decommissioned nor in maintenance, nor entering either state. */
  public boolean inService() {
    return inService;
  }

  /** Milliseconds since its last heartbeat. */
  public long heartbeatAgeMillis() {
    return heartbeatAgeMillis;
  }

  /**
   * Whether it is silent, so that Braid does not rely on it, even if the NameNode believes it
   * alive.
   */
  public boolean suspect() {
    return suspect;
  }

  /**
   * Milliseconds since it registered, while its first full block report is awaited: until then the
   * NameNode knows none of its replicas. Empty when it has reported, is dead, or is no longer
   * expected to report.
   */
  public OptionalLong unreportedMillis() {
    return unreportedMillis;
  }

  /** Its upgrade domain; empty when it has none. */
  public Optional<String> upgradeDomain() {
    return upgradeDomain;
  }

  /** The NameNode's block pool, which is one of the DataNode's; empty when unknown. */
  public String blockPool() {
    return blockPool;
  }

  /** Most free bytes on one storage, by type; empty when it has {@link StoragePolicy#DISK} only. */
  public Map<String, Long> storages() {
    return storages;
  }

  /** Whether it has storage of a type. */
  public boolean has(String type) {
    return storages.isEmpty() ? type.equals(StoragePolicy.DISK) : storages.containsKey(type);
  }

  /**
   * Most free bytes on one storage of a type, or all free bytes when only {@link
   * StoragePolicy#DISK} exists; 0 when it has none of the type.
   */
  public long remaining(String type) {
    return !has(type) ? 0 : storages.getOrDefault(type, remaining);
  }

  private List<Object> values() {
    return List.of(
        uuid,
        host,
        ip,
        ipcPort,
        transferPort,
        rack,
        remaining,
        live,
        inService,
        heartbeatAgeMillis,
        suspect,
        unreportedMillis,
        upgradeDomain,
        blockPool,
        storages);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Datanode node && values().equals(node.values());
  }

  @Override
  public int hashCode() {
    return uuid.hashCode();
  }

  @Override
  public String toString() {
    return "Datanode" + values();
  }

  /** Builds a DataNode. */
  public static final class Builder {
    private final String uuid;
    private @Nullable String host;
    private @Nullable String ip;
    private int ipcPort;
    private int transferPort;
    private @Nullable String rack;
    private long remaining;
    private boolean live = true;
    private boolean inService = true;
    private long heartbeatAgeMillis;
    private boolean suspect;
    private OptionalLong unreportedMillis = OptionalLong.empty();
    private Optional<String> upgradeDomain = Optional.empty();
    private String blockPool = "";
    private Map<String, Long> storages = Map.of();

    private Builder(String uuid) {
      this.uuid = uuid;
    }

    /** Its host name as HDFS prints it. */
    public Builder host(String name) {
      host = name;
      return this;
    }

    /** Its address. */
    public Builder ip(String address) {
      ip = address;
      return this;
    }

    /** The port of its RPC server. */
    public Builder ipcPort(int port) {
      ipcPort = port;
      return this;
    }

    /** The port of its data transfer. */
    public Builder transferPort(int port) {
      transferPort = port;
      return this;
    }

    /** Its network location. */
    public Builder rack(String location) {
      rack = location;
      return this;
    }

    /** Free bytes; 0 by default. */
    public Builder remaining(long bytes) {
      remaining = bytes;
      return this;
    }

    /** Whether the NameNode believes it alive. */
    public Builder live(boolean is) {
      live = is;
      return this;
    }

    /** Whether it is neither decommissioned nor in maintenance, nor entering either state. */
    public Builder inService(boolean is) {
      inService = is;
      return this;
    }

    /** Milliseconds since its last heartbeat; 0 by default. */
    public Builder heartbeatAgeMillis(long millis) {
      heartbeatAgeMillis = millis;
      return this;
    }

    /** Whether it is silent; false by default. */
    public Builder suspect(boolean is) {
      suspect = is;
      return this;
    }

    /** Milliseconds since it registered without a block report; by default it has reported. */
    public Builder unreportedMillis(long millis) {
      unreportedMillis = OptionalLong.of(millis);
      return this;
    }

    /** Its upgrade domain; none by default. */
    public Builder upgradeDomain(String domain) {
      upgradeDomain = Optional.of(domain);
      return this;
    }

    /** The NameNode's block pool; unknown by default. */
    public Builder blockPool(String pool) {
      blockPool = pool;
      return this;
    }

    /** Most free bytes on one storage, by type; {@link StoragePolicy#DISK} only by default. */
    public Builder storages(Map<String, Long> bytes) {
      storages = Map.copyOf(bytes);
      return this;
    }

    /** Builds the DataNode. */
    public Datanode build() {
      return new Datanode(this);
    }
  }
}
