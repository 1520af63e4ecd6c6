package org.braid.lab.network;

/** A sending and a receiving host. */
public record HostPair(String from, String to) {}
