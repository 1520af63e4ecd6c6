package org.braid.hdfs.setting;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.braid.code.Codes;

/**
 * A property of Braid.
 *
 * @param name its name
 * @param kind the form of its values
 * @param allowed condition on its values
 * @param reader the component that reads it
 */
public record Setting(String name, Kind kind, Allowed allowed, Reader reader) {
  /** The component that reads a property. */
  public enum Reader {
    /** The NameNode's plugin. */
    NAME_NODE,
    /** The DataNode's plugin. */
    DATA_NODE,
    /** The commands and the coordinator. */
    COMMAND,
    /** The client. */
    CLIENT,
    /** Several components. */
    ALL
  }

  /** The form of a property's values. */
  public enum Kind {
    /** A number of bytes. */
    BYTES("a size: write a number of bytes, or one with k, m or g, as in 64m"),
    /** Bytes a second of a link; no value for no limit. */
    THROTTLE("bytes a second: write a size as 50m, 0 to stop, or nothing for no limit"),
    /** A time. */
    TIME("a time: write a number with ms, s, m, h or d, as in 15m"),
    /** A whole number. */
    NUMBER("a whole number"),
    /** A port. */
    PORT("a port: write -1 or a number up to 65535, as the documentation says"),
    /** A number. */
    RATIO("a number"),
    /** Yes or no. */
    SWITCH("true or false"),
    /** A code, with options behind it. */
    CODE("a code, as in rs-10-4, with options behind it after commas"),
    /** Codes and families of codes. */
    CODES("codes and families of codes, separated by commas, as in rs,lrc-10-2-2"),
    /** Any text. */
    TEXT("a text");

    private final String form;

    Kind(String form) {
      this.form = form;
    }

    private void read(Configuration conf, String name) {
      switch (this) {
        case BYTES -> conf.getLongBytes(name, 0);
        case THROTTLE -> {
          if (!conf.getTrimmed(name, "").isEmpty()) {
            conf.getLongBytes(name, 0);
          }
        }
        case TIME -> conf.getTimeDuration(name, 0, TimeUnit.MILLISECONDS);
        case NUMBER -> conf.getInt(name, 0);
        case PORT -> {
          int port = conf.getInt(name, 0);
          if (port < -1 || port > 65535) {
            throw new IllegalArgumentException("no port");
          }
        }
        case RATIO -> conf.getDouble(name, 0);
        case SWITCH -> {
          // Hadoop takes the default for anything else, and says nothing.
          String value = conf.getTrimmed(name, "");
          if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("neither");
          }
        }
        case CODE -> {
          String value = conf.getTrimmed(name, "");
          if (!value.isEmpty()) {
            Codes.named(value.split(",", 2)[0].strip());
          }
        }
        case CODES -> conf.getTrimmedStringCollection(name).forEach(Codes::checkListed);
        case TEXT -> {}
      }
    }
  }

  /** The problem with its value in a configuration; empty when it is unset or valid. */
  Optional<String> problem(Configuration conf) {
    String value = conf.getTrimmed(name);
    if (value == null) {
      return Optional.empty();
    }
    try {
      kind.read(conf, name);
    } catch (IllegalArgumentException e) {
      // Which one of a list.
      String which = kind == Kind.CODES ? ": " + e.getMessage() : "";
      return Optional.of("it is not " + kind.form + which);
    }
    return allowed.refusal(conf, name);
  }
}
