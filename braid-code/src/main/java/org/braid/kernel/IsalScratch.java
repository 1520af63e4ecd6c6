package org.braid.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Native memory of a thread for ISA-L: addresses of places, lists of them, and scratch places. */
final class IsalScratch {
  private long[] addresses = new long[0];

  /** Offsets of the places that are in this memory. */
  private int[] offsets = new int[0];

  private ByteBuffer pointers = ByteBuffer.allocateDirect(0);
  private long pointersAddress;
  private ByteBuffer bytes = ByteBuffer.allocateDirect(0);
  private long bytesAddress;
  private int slotBytes;
  private int slots;

  void begin(int places) {
    if (addresses.length < places) {
      addresses = new long[places];
      offsets = new int[places];
      // A call names each place once, or one place as source and target.
      int room = (places + 1) * Long.BYTES;
      pointers = ByteBuffer.allocateDirect(room).order(ByteOrder.nativeOrder());
      pointersAddress = Isal.address(pointers);
    }
  }

  /** Records the address of a direct buffer; returns 1 for a heap buffer, which needs a copy. */
  int locate(int place, ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      return 1;
    }
    addresses[place] = Isal.address(buffer) + buffer.position();
    return 0;
  }

  /** Reserves memory for places; {@code bytesEach} is a multiple of a cache line. */
  void reserve(int count, int bytesEach) {
    slots = 0;
    slotBytes = bytesEach;
    long needed = (long) count * bytesEach;
    if (count > 0 && bytes.capacity() < needed) {
      bytes = Kernels.allocate(Math.toIntExact(needed));
      bytesAddress = Isal.address(bytes);
    }
  }

  /** Assigns the next reserved memory to a place. */
  void assign(int place) {
    offsets[place] = slots * slotBytes;
    addresses[place] = bytesAddress + offsets[place];
    slots++;
  }

  void copyIn(int place, ByteBuffer buffer, int done, int count) {
    if (!buffer.isDirect()) {
      bytes.put(offsets[place], buffer, buffer.position() + done, count);
    }
  }

  void copyOut(int place, ByteBuffer buffer, int done, int count) {
    if (!buffer.isDirect()) {
      buffer.put(buffer.position() + done, bytes, offsets[place], count);
    }
  }

  void advance(int place, int count) {
    addresses[place] += count;
  }

  long address(int place) {
    return addresses[place];
  }

  /** Writes a list of addresses, {@code skip} bytes into each place; returns its address. */
  long list(int index, int[] places, int skip) {
    for (int i = 0; i < places.length; i++) {
      pointers.putLong((index + i) * Long.BYTES, addresses[places[i]] + skip);
    }
    return pointersAddress + (long) index * Long.BYTES;
  }
}
