package org.braid.lab.network;

import java.util.OptionalInt;

/**
 * A machine of the lab, with a network namespace of its own.
 *
 * @param name its host name
 * @param role what runs there
 * @param rack the rack it is in; empty: it hangs on the core, side by side with the racks or sites
 * @param address its IPv4 address
 */
public record Host(String name, Role role, OptionalInt rack, String address) {
  /** What a host is for. */
  public enum Role {
    /** The NameNode and, where one runs, the coordinator. */
    NAME_NODE,
    /** Fills and looks after the file system between measurements; its link has no limit. */
    LOADER,
    /** A client whose link is as fast as a DataNode's. */
    CLIENT,
    /** A DataNode. */
    DATA_NODE
  }
}
