package org.braid.hdfs.secure;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** A certificate of this machine, made by the JDK, and Hadoop's files that name it. */
final class KeyStores {
  private static final String PASSWORD = "secret";

  private KeyStores() {}

  /**
   * Makes the certificate and puts Hadoop's files on the class path of this thread and of those
   * that it starts: Hadoop looks for them there only.
   */
  static void make(Path directory) throws Exception {
    Files.createDirectories(directory);
    Path keys = directory.resolve("keys.p12");
    Path certificate = directory.resolve("certificate.pem");
    Path trust = directory.resolve("trust.p12");
    keytool(
        "-genkeypair",
        "-alias",
        "node",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "2",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost",
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD,
        "-keystore",
        keys.toString());
    keytool(
        "-exportcert",
        "-alias",
        "node",
        "-rfc",
        "-storepass",
        PASSWORD,
        "-keystore",
        keys.toString(),
        "-file",
        certificate.toString());
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "node",
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD,
        "-keystore",
        trust.toString(),
        "-file",
        certificate.toString());
    Map<String, String> trusted =
        Map.of(
            "truststore.location",
            trust.toString(),
            "truststore.password",
            PASSWORD,
            "truststore.type",
            "PKCS12");
    Map<String, String> own =
        Map.of(
            "keystore.location",
            keys.toString(),
            "keystore.password",
            PASSWORD,
            "keystore.keypassword",
            PASSWORD,
            "keystore.type",
            "PKCS12");
    write(directory, "server", trusted, own);
    write(directory, "client", trusted, Map.of());
    Thread thread = Thread.currentThread();
    thread.setContextClassLoader(loader(directory, thread.getContextClassLoader()));
  }

  private static URLClassLoader loader(Path directory, ClassLoader parent)
      throws MalformedURLException {
    return new URLClassLoader(new URL[] {directory.toUri().toURL()}, parent);
  }

  private static void write(
      Path directory, String side, Map<String, String> trusted, Map<String, String> own)
      throws IOException {
    Configuration conf = new Configuration(false);
    Map<String, String> all = new TreeMap<>(trusted);
    all.putAll(own);
    all.forEach((name, value) -> conf.set("ssl." + side + "." + name, value));
    try (var out = Files.newOutputStream(directory.resolve("ssl-" + side + ".xml"))) {
      conf.writeXml(out);
    }
  }

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("keytool failed: " + said);
    }
  }
}
