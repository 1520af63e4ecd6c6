package org.braid.cli.command;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Registry;
import org.braid.code.derive.RepairAim;
import org.braid.experiment.text.Sizes;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/**
 * Readers of option values. A value that a reader refuses is a usage error with the reader's
 * message.
 */
public final class Converters {
  /** The policies over sites that data can be placed for. */
  private static final Registry<SitePolicy> PLACEMENTS =
      new Registry<>(
          "placement", List.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE), SitePolicy::name);

  private Converters() {}

  public static void register(CommandLine line) {
    line.registerConverter(ErasureCode.class, text -> read(Codes::named, text));
    registerNames(line, "aim", RepairAim.class);
    line.registerConverter(Topology.class, text -> read(Topology::parse, text));
    line.registerConverter(ReplicaLayout.class, text -> read(ReplicaLayout::named, text));
    line.registerConverter(ReplicationPolicy.class, text -> read(ReplicationPolicies::named, text));
    line.registerConverter(SitePolicy.class, text -> read(PLACEMENTS::named, text));
    line.registerConverter(RepairPlanner.class, text -> read(RepairPlanners::named, text));
    line.registerConverter(RepairScheduler.class, text -> read(RepairSchedulers::named, text));
    line.registerConverter(Integer.class, Converters::wholeInt);
    line.registerConverter(int.class, Converters::wholeInt);
    line.registerConverter(Long.class, Converters::wholeLong);
    line.registerConverter(long.class, Converters::wholeLong);
  }

  private static Integer wholeInt(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw notWhole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
  }

  private static Long wholeLong(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw notWhole(text, Long.MIN_VALUE, Long.MAX_VALUE);
    }
  }

  private static TypeConversionException notWhole(String text, long least, long most) {
    String which = text.matches("[+-]?[0-9]+") ? " between %d and %d".formatted(least, most) : "";
    return new TypeConversionException("\"" + text + "\" is not a whole number" + which);
  }

  /** Lets options name the values of an enum, in small letters with hyphens. */
  public static <E extends Enum<E>> void registerNames(
      CommandLine line, String kind, Class<E> type) {
    Registry<E> names =
        new Registry<>(
            kind,
            List.of(type.getEnumConstants()),
            value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    line.registerConverter(type, text -> read(names::named, text));
  }

  /** Reads a value; turns a refusal of the reader into a usage error with its message. */
  public static <T> T read(Function<String, T> reader, String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(Optional.ofNullable(e.getMessage()).orElse("no good"));
    }
  }

  /** Reads a size in bytes. */
  public static final class Size implements CommandLine.ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(Sizes::parse, text);
    }
  }

  /** Reads a limit in bytes: a size, or 0 for none. */
  public static final class Limit implements CommandLine.ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return text.equals("0") ? Long.valueOf(0) : read(Sizes::parse, text);
    }
  }

  /** Reads the size of a slice: a multiple of HDFS's checksum chunk of 512 bytes. */
  static final class Slice implements CommandLine.ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      int size = read(Sizes::parseInt, text);
      if (size % 512 != 0) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a multiple of 512 bytes, HDFS's checksum chunk");
      }
      return size;
    }
  }

  /** Reads a time as {@code 15m}, in milliseconds. */
  public static final class Duration implements CommandLine.ITypeConverter<Long> {
    private static final Map<String, Long> MILLIS =
        Map.of("ms", 1L, "s", 1000L, "m", 60_000L, "h", 3_600_000L);

    @Override
    public Long convert(String text) {
      String unit = text.replaceFirst("^[0-9]{1,6}", "");
      Long millis = MILLIS.get(unit);
      if (millis == null || unit.equals(text)) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a time: write a number with ms, s, m or h, as in 15m");
      }
      return millis * Long.parseLong(text.substring(0, text.length() - unit.length()));
    }
  }

  /** Reads a rate, in bytes a second. */
  public static final class Rate implements CommandLine.ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return read(Sizes::parseRate, text);
    }
  }

  /** Reads a number of at least 1. */
  public static final class Ratio implements CommandLine.ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      if (!text.matches("[0-9]{1,6}(\\.[0-9]{1,6})?") || Double.parseDouble(text) < 1) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a ratio: write a number of at least 1, as in 4 or 2.5");
      }
      return Double.parseDouble(text);
    }
  }

  /** Reads a whole number of at least 1. */
  public static final class Count implements CommandLine.ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1) {
        throw new TypeConversionException("\"" + text + "\" is not a number of at least 1");
      }
      return Integer.parseInt(text);
    }
  }
}
