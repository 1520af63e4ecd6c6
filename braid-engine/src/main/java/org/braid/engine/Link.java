package org.braid.engine;

/** A directed pair of nodes that bytes move between. */
public record Link(int from, int to) {}
