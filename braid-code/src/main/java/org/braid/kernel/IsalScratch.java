package org.braid.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A thread's memory for ISA-L: the places' addresses, lists of them, and bytes of its own. */
final class IsalScratch {
  private long[] addresses = new long[0];

  /** Where in this memory a place is that was assigned some of it. */
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

  /** Notes where a direct buffer is; returns 1 for a buffer on the heap, which needs a copy. */
  int locate(int place, ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      return 1;
    }
    addresses[place] = Isal.address(buffer) + buffer.position();
    return 0;
  }

  /** Makes room for some places of so many bytes, a multiple of a cache line. */
  void reserve(int count, int bytesEach) {
    slots = 0;
    slotBytes = bytesEach;
    long needed = (long) count * bytesEach;
    if (count > 0 && bytes.capacity() < needed) {
      bytes = Kernels.allocate(Math.toIntExact(needed));
      bytesAddress = Isal.address(bytes);
    }
  }

  /** Gives the next of the reserved places. */
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

  /** Lists the addresses of places, each so many bytes further on. */
  long list(int index, int[] places, int skip) {
    for (int i = 0; i < places.length; i++) {
      pointers.putLong((index + i) * Long.BYTES, addresses[places[i]] + skip);
    }
    return pointersAddress + (long) index * Long.BYTES;
  }
}
