package org.braid.lab.network;

import java.util.OptionalInt;

/**
 * A machine of the lab, with a network namespace of its own.
 *
 * @param name its host name
 * @param role what runs on it
 * @param rack its rack; empty: it is connected to the core, beside the racks or sites
 * @param address its IPv4 address
 */
public record Host(String name, Role role, OptionalInt rack, String address) {
  /** The purpose of a host. */
  public enum Role {
    /** The NameNode and, where one runs, the coordinator. */
    NAME_NODE,
    /** Loads and maintains the file system between measurements; its link has no limit. */
    LOADER,
    /** A client with the link rate of a DataNode. */
    CLIENT,
    /** A DataNode. */
    DATA_NODE
  }
}
