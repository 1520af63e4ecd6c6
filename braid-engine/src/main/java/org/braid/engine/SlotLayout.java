package org.braid.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.braid.plan.Fragment;
import org.braid.plan.Operation;

/**
 * Assigns a buffer to each value of a fragment. The buffer of a dead value is reused, so that the
 * number of buffers is the largest number of live values.
 *
 * @param count buffers needed
 * @param slotOf the buffer of each value
 */
record SlotLayout(int count, Map<Integer, Integer> slotOf) {

  /**
   * Assigns the buffers of a fragment.
   *
   * @throws IllegalArgumentException when the fragment defines a value twice, uses an undefined
   *     value, or has a matrix whose size does not match its values
   */
  static SlotLayout of(Fragment fragment) {
    List<Operation> ops = fragment.ops();
    Map<Integer, Integer> lastUse = new HashMap<>();
    for (int i = 0; i < ops.size(); i++) {
      check(fragment, i, lastUse);
      for (int value : made(ops.get(i))) {
        lastUse.put(value, i);
      }
      for (int value : used(ops.get(i))) {
        lastUse.put(value, i);
      }
    }
    Map<Integer, Integer> slotOf = new HashMap<>();
    PriorityQueue<Integer> free = new PriorityQueue<>();
    int count = 0;
    for (int i = 0; i < ops.size(); i++) {
      for (int value : made(ops.get(i))) {
        Integer slot = free.poll();
        slotOf.put(value, slot != null ? slot : count++);
      }
      // After the outputs have buffers: the outputs of a kernel must not overlap its inputs.
      List<Integer> touched = new ArrayList<>(made(ops.get(i)));
      touched.addAll(used(ops.get(i)));
      for (int value : touched.stream().distinct().toList()) {
        if (lastUse.getOrDefault(value, -1) == i) {
          free.add(slotOf.getOrDefault(value, -1));
        }
      }
    }
    return new SlotLayout(count, Map.copyOf(slotOf));
  }

  int slot(int value) {
    Integer slot = slotOf.get(value);
    if (slot == null) {
      throw new IllegalArgumentException("no value " + value);
    }
    return slot;
  }

  private static void check(Fragment fragment, int index, Map<Integer, Integer> known) {
    Operation op = fragment.ops().get(index);
    for (int value : used(op)) {
      if (!known.containsKey(value)) {
        throw malformed(fragment, index, "value " + value + " is not made by an earlier operation");
      }
    }
    List<Integer> made = made(op);
    for (int value : made) {
      if (known.containsKey(value)) {
        throw malformed(fragment, index, "value " + value + " is made twice");
      }
    }
    if (op instanceof Operation.Combine combine
        && (combine.coefficients().rows() != made.size()
            || combine.coefficients().columns() != combine.inputs().size()
            || made.stream().distinct().count() != made.size())) {
      throw malformed(fragment, index, "the matrix does not fit the values");
    }
  }

  /** The text of an operation is made for a failure alone: each run looks at its operations. */
  private static IllegalArgumentException malformed(Fragment fragment, int index, String problem) {
    return new IllegalArgumentException(
        "fragment of node "
            + fragment.node()
            + ", operation "
            + index
            + " "
            + fragment.ops().get(index)
            + ": "
            + problem);
  }

  private static List<Integer> made(Operation op) {
    if (op instanceof Operation.Read read) {
      return List.of(read.value());
    } else if (op instanceof Operation.Receive receive) {
      return List.of(receive.value());
    } else if (op instanceof Operation.Combine combine) {
      return combine.outputs();
    }
    return List.of();
  }

  private static List<Integer> used(Operation op) {
    if (op instanceof Operation.Combine combine) {
      return combine.inputs();
    } else if (op instanceof Operation.Send send) {
      return List.of(send.value());
    } else if (op instanceof Operation.Store store) {
      return List.of(store.value());
    }
    return List.of();
  }
}
