package org.braid.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Registry;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.placement.ReplicaLayout;
import org.braid.placement.Topology;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairSchedulers;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Readers of option values; what they refuse is a usage error with their message. */
public final class Converters {
  private static final Registry<Encoder> ENCODERS = values("encoder", Encoder.values());
  private static final Registry<Group> GROUPINGS = values("grouping", Group.values());
  private static final Registry<Encode> ENCODINGS = values("encoding", Encode.values());
  private static final Registry<Homes> HOMES = values("choice of homes", Homes.values());

  private Converters() {}

  static void register(CommandLine line) {
    line.registerConverter(ErasureCode.class, text -> read(Codes::named, text));
    line.registerConverter(HdfsPath.class, text -> read(HdfsPath::parse, text));
    line.registerConverter(Encoder.class, text -> read(ENCODERS::named, text));
    line.registerConverter(Group.class, text -> read(GROUPINGS::named, text));
    line.registerConverter(Encode.class, text -> read(ENCODINGS::named, text));
    line.registerConverter(Homes.class, text -> read(HOMES::named, text));
    line.registerConverter(Topology.class, text -> read(Topology::parse, text));
    line.registerConverter(ReplicaLayout.class, text -> read(ReplicaLayout::named, text));
    line.registerConverter(RepairPlanner.class, text -> read(RepairPlanners::named, text));
    line.registerConverter(RepairScheduler.class, text -> read(RepairSchedulers::named, text));
  }

  private static <E extends Enum<E>> Registry<E> values(String kind, E[] all) {
    return new Registry<>(
        kind, List.of(all), value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** Reads a value; what the reader refuses is a usage error with its message. */
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
  static final class Duration implements CommandLine.ITypeConverter<Long> {
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
