package org.braid.lab.network;

/** From which host to which. */
public record Hop(String from, String to) {}
