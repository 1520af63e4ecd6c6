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
   * A DataNode that is live and in service, unless said otherwise; host, IP and rack are needed.
   */
  public static Builder builder(String uuid) {
    return new Builder(uuid);
  }

  public String uuid() {
    return uuid;
  }

  /** Its name as HDFS prints it. */
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

  /** Bytes left. */
  public long remaining() {
    return remaining;
  }

  public boolean live() {
    return live;
  }

  /** Whether it is neither decommissioned nor in maintenance, nor on the way there. */
  public boolean inService() {
    return inService;
  }

  /** Milliseconds since its last heartbeat. */
  public long heartbeatAgeMillis() {
    return heartbeatAgeMillis;
  }

  /** Whether it is silent, though the NameNode may still believe it alive: not to be relied on. */
  public boolean suspect() {
    return suspect;
  }

  /**
   * Milliseconds since it registered, while its first report of all its blocks is awaited: the
   * NameNode knows of none of them until then. Empty when it has reported, or is dead, or that is
   * awaited no more.
   */
  public OptionalLong unreportedMillis() {
    return unreportedMillis;
  }

  /** Empty when it is in none. */
  public Optional<String> upgradeDomain() {
    return upgradeDomain;
  }

  /** The NameNode's, one of those that the DataNode serves; empty when not known. */
  public String blockPool() {
    return blockPool;
  }

  /**
   * The most bytes left on one storage, by type; empty when there is {@link StoragePolicy#DISK}
   * only.
   */
  public Map<String, Long> storages() {
    return storages;
  }

  /** Whether it has storage of a type. */
  public boolean has(String type) {
    return storages.isEmpty() ? type.equals(StoragePolicy.DISK) : storages.containsKey(type);
  }

  /** Bytes left on storage of a type. */
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

  /** Collects what is known of a DataNode. */
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

    /** Its name as HDFS prints it. */
    public Builder host(String name) {
      host = name;
      return this;
    }

    /** Its address. */
    public Builder ip(String address) {
      ip = address;
      return this;
    }

    /** The port of its calls. */
    public Builder ipcPort(int port) {
      ipcPort = port;
      return this;
    }

    /** The port of its blocks. */
    public Builder transferPort(int port) {
      transferPort = port;
      return this;
    }

    /** Its network location. */
    public Builder rack(String location) {
      rack = location;
      return this;
    }

    /** Bytes left; 0 unless said. */
    public Builder remaining(long bytes) {
      remaining = bytes;
      return this;
    }

    /** Whether the NameNode believes it alive. */
    public Builder live(boolean is) {
      live = is;
      return this;
    }

    /** Whether it is neither decommissioned nor in maintenance, nor on the way there. */
    public Builder inService(boolean is) {
      inService = is;
      return this;
    }

    /** Milliseconds since its last heartbeat; 0 unless said. */
    public Builder heartbeatAgeMillis(long millis) {
      heartbeatAgeMillis = millis;
      return this;
    }

    /** Whether it is silent; not unless said. */
    public Builder suspect(boolean is) {
      suspect = is;
      return this;
    }

    /** Milliseconds since it registered without a report; it has reported unless said. */
    public Builder unreportedMillis(long millis) {
      unreportedMillis = OptionalLong.of(millis);
      return this;
    }

    /** The upgrade domain that it is in; none unless said. */
    public Builder upgradeDomain(String domain) {
      upgradeDomain = Optional.of(domain);
      return this;
    }

    /** The NameNode's block pool; not known unless said. */
    public Builder blockPool(String pool) {
      blockPool = pool;
      return this;
    }

    /**
     * The most bytes left on one storage, by type; {@link StoragePolicy#DISK} only, unless said.
     */
    public Builder storages(Map<String, Long> bytes) {
      storages = Map.copyOf(bytes);
      return this;
    }

    /** The DataNode as described so far. */
    public Datanode build() {
      return new Datanode(this);
    }
  }
}
