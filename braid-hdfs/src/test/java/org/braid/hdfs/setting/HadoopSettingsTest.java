package org.braid.hdfs.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Test;

final class HadoopSettingsTest {
  private static final String REMEDY = "; correct it, or remove it for Hadoop's default";

  private final Configuration conf = new Configuration(false);

  private String line(Function<Configuration, Object> reading) {
    RuntimeException failure = assertThrows(RuntimeException.class, () -> reading.apply(conf));
    return HadoopSettings.mistake(failure, conf).orElse("");
  }

  @Test
  void whatIsNoNumberIsNamed() {
    conf.set("a.number", "abc", "core-site.xml");
    conf.set("b.number", "ab", "core-site.xml");
    assertEquals(
        "a.number = \"abc\" (core-site.xml): it is not a number" + REMEDY,
        line(c -> c.getInt("a.number", 1)));
    conf.set("a.number", "10Seconds", "core-site.xml");
    assertEquals(
        "a.number = \"10Seconds\" (core-site.xml): it is not a number" + REMEDY,
        line(c -> c.getTimeDuration("a.number", 1, TimeUnit.SECONDS)));
    conf.set("a.number", "sooms", "core-site.xml");
    assertEquals(
        "a.number = \"sooms\" (core-site.xml): it is not a number" + REMEDY,
        line(c -> c.getTimeDuration("a.number", 1, TimeUnit.SECONDS)));
    conf.set("a.number", "1, x", "core-site.xml");
    assertEquals(
        "a.number = \"1, x\" (core-site.xml): it is not a number" + REMEDY,
        line(c -> c.getInts("a.number")));
  }

  @Test
  void aClassThatIsNoneOrOfAnotherKindIsNamed() {
    conf.set("a.class", "no.such.Class", "core-site.xml");
    conf.set("a.prefix", "no.such", "core-site.xml");
    String none =
        "a.class = \"no.such.Class\" (core-site.xml): there is no such class on the class path of"
            + " this program";
    assertEquals(none + REMEDY, line(c -> c.getClass("a.class", null)));
    conf.set("hadoop.rpc.socket.factory.class.default", "no.such.Factory", "core-site.xml");
    assertEquals(
        none.replace("a.class", "hadoop.rpc.socket.factory.class.default")
                .replace("no.such.Class", "no.such.Factory")
            + REMEDY,
        line(NetUtils::getDefaultSocketFactory));
    conf.set("a.class", "java.lang.String", "core-site.xml");
    assertEquals(
        "a.class = \"java.lang.String\" (core-site.xml): class java.lang.String not"
            + " java.lang.Runnable"
            + REMEDY,
        line(c -> c.getClass("a.class", null, Runnable.class)));
  }

  @Test
  void allPropertiesWithTheValueAreNamedButThoseOfHadoopsDefaultsAndOfBraid() {
    conf.set("b", "abc", "hdfs-site.xml");
    conf.set("a", "abc", "core-site.xml");
    conf.set("c", "abc", "core-default.xml");
    conf.set("braid.d", "abc", "core-site.xml");
    assertEquals(
        "a or b = \"abc\" (core-site.xml): it is not a number" + REMEDY,
        line(c -> c.getInt("b", 1)));
  }

  @Test
  void otherFailuresAreNotBlamedOnAProperty() {
    conf.set("a", "abc", "core-site.xml");
    assertEquals(
        Optional.empty(),
        HadoopSettings.mistake(new IllegalArgumentException("abc of ours"), conf));
    assertEquals(
        Optional.empty(),
        HadoopSettings.mistake(new IOException("abc", new ConnectException("abc")), conf));
    conf.set("b", "def", "core-site.xml");
    RuntimeException failure = assertThrows(NumberFormatException.class, () -> conf.getInt("b", 1));
    conf.unset("b");
    assertEquals(Optional.empty(), HadoopSettings.mistake(failure, conf));
    RuntimeException own = new IllegalStateException(new IOException("abc"));
    own.getCause().setStackTrace(failure.getStackTrace());
    assertEquals(Optional.empty(), HadoopSettings.mistake(own, conf));
    conf.unset("a");
    // A word of what was said is no part of a value.
    conf.set("dfs.ha.namenodes.ns", "a,b", "hdfs-site.xml");
    assertEquals("", line(c -> new Path("")));
  }
}
