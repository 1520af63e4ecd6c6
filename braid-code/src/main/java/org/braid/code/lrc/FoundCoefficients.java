package org.braid.code.lrc;

import java.util.HexFormat;
import java.util.List;

/**
 * Coefficients of global parities for which no formula is known. A search in this package's tests
 * found them; they are frozen. Shorter codes use the first columns of each group: a code without
 * some of its data recovers the same losses.
 */
final class FoundCoefficients {
  /**
   * The coefficients for one number of groups and global parities.
   *
   * @param g global parities
   * @param groups the coefficients of each local group in hex, column by column, a byte for each
   *     global parity
   */
  record Found(int g, List<String> groups) {
    Found {
      groups = List.copyOf(groups);
    }

    int l() {
      return groups.size();
    }

    /** The most data blocks of a group. */
    int longest() {
      return groups.get(0).length() / 2 / g;
    }

    private int at(int group, int column, int parity) {
      int place = 2 * (column * g + parity);
      return HexFormat.fromHexDigits(groups.get(group), place, place + 2);
    }
  }

  private static final List<Found> ALL =
      List.of(
          new Found(
              3,
              List.of(
                  "04b9b61d2ced9d64f285267f71599a760f897ac1d4aa96c6fdc71a208855",
                  "b904b62c1ded649df226857f59719a0f7689c17ad496aac6c7fd1a882055")),
          new Found(
              3,
              List.of(
                  "200c06741450b4d00d6a51c3fddbd1e6c286be07da2e8715",
                  "06200c5074140db4d0c36a51d1fddb86e6c2dabe07152e87",
                  "0c0620145074d00db451c36adbd1fdc286e607dabe87152e")),
          new Found(
              3,
              List.of(
                  "3867fcf4e421127570e7137be06442",
                  "3537bf723eb55c6b772f5dab23269f",
                  "e4f4216738fc13e77b751270a5b995",
                  "3e72b53735bf5d2fab6b5c77b02c48")),
          new Found(
              4,
              List.of(
                  "e8ae65c0ee6c2797e3ebb85832ff2d0ead5a7b61",
                  "aee8c0656cee9727ebe358b8ff320e2d5aad617b")));

  private FoundCoefficients() {}

  /** All coefficients found. */
  static List<Found> all() {
    return ALL;
  }

  /** The coefficients by global parity and data block; empty when none were found. */
  static int[][] rows(LrcSettings settings) {
    int s = settings.groupSize();
    for (Found found : ALL) {
      if (found.l() == settings.l() && found.g() == settings.g() && s <= found.longest()) {
        int[][] rows = new int[settings.g()][settings.k()];
        for (int parity = 0; parity < rows.length; parity++) {
          for (int j = 0; j < settings.k(); j++) {
            rows[parity][j] = found.at(j / s, j % s, parity);
          }
        }
        return rows;
      }
    }
    return new int[0][];
  }
}
