package org.braid.code;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Members that command lines and configurations refer to by name.
 *
 * @param kind what the members are, for messages, for example {@code placement policy}
 * @param all the members, in the order of listings
 * @param name returns the name of a member
 */
public record Registry<T>(String kind, List<T> all, Function<? super T, String> name) {
  public Registry {
    all = List.copyOf(all);
  }

  /** All names, joined by commas. */
  public String names() {
    return all.stream().map(name).collect(Collectors.joining(", "));
  }

  /**
   * The member with a name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the known names
   */
  public T named(String wanted) {
    return all.stream()
        .filter(member -> name.apply(member).equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown " + kind + " \"" + wanted + "\"; known: " + names()));
  }
}
