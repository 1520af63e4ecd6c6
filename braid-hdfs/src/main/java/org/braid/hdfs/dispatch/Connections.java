package org.braid.hdfs.dispatch;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.KerberosAuthException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.failure.Causes;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.setting.HadoopSettings;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;
import org.braid.hdfs.setting.StockClient;

/** Creates the configurations and file systems of commands and daemons. */
public final class Connections {
  /** The source of properties that a command was given. */
  private static final String COMMAND_LINE = "command line";

  /** The source of values of Hadoop itself. */
  private static final String DEFAULTS = "-default.xml";

  /** Property: a keytab to log in from; without it the tickets of the current user are used. */
  private static final String KEYTAB_KEY = "braid.keytab.file";

  /** Property: the principal to log in as from the keytab; {@code _HOST} stands for this host. */
  private static final String PRINCIPAL_KEY = "braid.kerberos.principal";

  private static final String NOT_HDFS = "it is not an HDFS";

  private Connections() {}

  /**
   * Creates the configuration that Hadoop's own tools would have for a connection, with two
   * differences. It uses HDFS's own client, so that repair does not read lost blocks by rebuilding
   * them. And it reads from the active NameNode, so that locations of blocks are current.
   *
   * @throws IOException when a file cannot be read
   * @throws RefusedException when a property of Braid is malformed, or one of the connection itself
   *     is none of Braid's
   */
  public static Configuration configuration(Connection connection) throws IOException {
    Configuration conf = unchecked(connection);
    for (Settings.Finding finding :
        Settings.findings(conf, EnumSet.of(Setting.Reader.COMMAND, Setting.Reader.ALL))) {
      if (connection.properties().containsKey(finding.property())) {
        throw RefusedException.ofMisuse(finding.line());
      }
    }
    try {
      Settings.check(conf, Setting.Reader.COMMAND);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
    return conf;
  }

  /**
   * The same without checking the values of Braid's properties, for callers that check them.
   *
   * @throws IOException when a file cannot be read
   * @throws RefusedException when a property of the connection itself is none of Braid's
   */
  public static Configuration unchecked(Connection connection) throws IOException {
    Configuration conf = read(connection);
    for (Settings.Finding finding : Settings.findings(conf)) {
      if (finding.unknown() && connection.properties().containsKey(finding.property())) {
        throw RefusedException.ofMisuse(finding.line());
      }
    }
    StockClient.configure(conf);
    authenticate(conf);
    return conf;
  }

  /**
   * The message for a failure that a wrong value of one of Hadoop's own properties caused; empty
   * for other failures.
   */
  public static Optional<String> mistake(Connection connection, RuntimeException failure) {
    try {
      return HadoopSettings.mistake(failure, read(connection));
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }

  private static Configuration read(Connection connection) throws IOException {
    Configuration conf = new HdfsConfiguration();
    for (java.nio.file.Path file : connection.configurations()) {
      if (!Files.isReadable(file)) {
        throw new FileNotFoundException("configuration " + file + " cannot be read");
      }
      conf.addResource(new Path(file.toUri()));
    }
    try {
      var unused = conf.size(); // Hadoop reads its files no sooner than it needs them
    } catch (RuntimeException e) {
      throw unreadable(e);
    }
    connection
        .fileSystem()
        .ifPresent(fs -> conf.set(FileSystem.FS_DEFAULT_NAME_KEY, fs, COMMAND_LINE));
    connection.properties().forEach((name, value) -> conf.set(name, value, COMMAND_LINE));
    return conf;
  }

  /**
   * The failure in one line: Hadoop's parser puts file, row and column on another line than the
   * reason.
   */
  private static IOException unreadable(RuntimeException e) {
    Throwable cause = e.getCause();
    String reason = String.valueOf((cause == null ? e : cause).getMessage());
    return new IOException(
        "the configuration cannot be read: " + reason.replaceAll("\\s+", " ").strip(), e);
  }

  /**
   * Makes this process authenticate by this configuration: Hadoop by default uses only the files on
   * the class path.
   */
  private static void authenticate(Configuration conf) throws IOException {
    if (SecurityUtil.getAuthenticationMethod(conf) == AuthenticationMethod.SIMPLE) {
      return;
    }
    if (!UserGroupInformation.isSecurityEnabled()) {
      UserGroupInformation.setConfiguration(conf);
    }
    if (!conf.getTrimmed(KEYTAB_KEY, "").isEmpty()) {
      if (conf.getTrimmed(PRINCIPAL_KEY, "").isEmpty()) {
        throw new IOException(KEYTAB_KEY + " is set: set " + PRINCIPAL_KEY + ", too");
      }
      try {
        SecurityUtil.login(conf, KEYTAB_KEY, PRINCIPAL_KEY);
      } catch (KerberosAuthException e) {
        throw new IOException(explain(new File(conf.getTrimmed(KEYTAB_KEY)), e), e);
      }
    }
  }

  /** Explains a failed login: Hadoop's message is always that it cannot obtain a password. */
  private static String explain(File keytab, KerberosAuthException e) {
    String principal = e.getPrincipal();
    if (!keytab.isFile() || !keytab.canRead()) {
      return KEYTAB_KEY + " = " + keytab + ": there is no such file, or this user may not read it";
    }
    if (principal != null
        && KeyTab.getUnboundInstance(keytab).getKeys(new KerberosPrincipal(principal)).length
            == 0) {
      return "%s = %s has no key of %s: klist -kt lists whose keys are in it, and %s names one"
          .formatted(KEYTAB_KEY, keytab, principal, PRINCIPAL_KEY);
    }
    return String.valueOf(e.getMessage());
  }

  /** The message for a call that failed without a ticket; empty for other failures. */
  public static Optional<String> withoutTicket(URI uri, IOException e) {
    return String.valueOf(e.getMessage()).contains("Client cannot authenticate via:")
        ? Optional.of(
            "%s cannot be reached: it asks for Kerberos, and there is no valid ticket: run kinit, or set %s and %s"
                .formatted(uri, KEYTAB_KEY, PRINCIPAL_KEY))
        : Optional.empty();
  }

  /**
   * The message for an unknown host: the property that names the host, and what to do; empty for
   * other failures.
   *
   * @param uri the file system, as the configuration names it
   */
  public static Optional<String> unknownHost(URI uri, Configuration conf, Throwable failure) {
    if (Causes.of(failure).stream().noneMatch(error -> error instanceof UnknownHostException)) {
      return Optional.empty();
    }
    if (!HAUtilClient.isLogicalUri(conf, uri)) {
      String host = String.valueOf(uri.getHost() == null ? uri.getAuthority() : uri.getHost());
      return Optional.of(
          defaultFileSystem(
              uri,
              conf,
              "no host is named " + host,
              uri.getPort() >= 0
                  ? "correct it, or make the name known to this machine"
                  : "correct it; if it is a name service, give the hdfs-site.xml that names its"
                      + " NameNodes by -conf or HADOOP_CONF_DIR"));
    }
    String reason = Rpc.reason(failure);
    String prefix = HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + "." + uri.getHost() + ".";
    String properties =
        DFSUtilClient.getNameNodeIds(conf, uri.getHost()).stream()
            .map(id -> prefix + id)
            .filter(property -> reason.startsWith(conf.getTrimmed(property, "") + ": "))
            .collect(Collectors.joining(" and "));
    return Optional.of(
        "%s cannot be reached: %s: correct %s, or make the name known to this machine"
            .formatted(uri, reason, properties.isEmpty() ? prefix + "*" : properties));
  }

  private static String defaultFileSystem(
      URI uri, Configuration conf, String problem, String remedy) {
    String property = FileSystem.FS_DEFAULT_NAME_KEY;
    return new Settings.Finding(
            property, uri.toString(), Settings.source(conf, property), problem, remedy, false)
        .line();
  }

  /**
   * The failure for a file system that is not HDFS: misuse if the caller named it, or named none;
   * not if a configuration file did.
   */
  private static IOException notHdfs(URI uri, Configuration conf, String problem) {
    String source = Settings.source(conf, FileSystem.FS_DEFAULT_NAME_KEY);
    if (source.endsWith(DEFAULTS)) {
      return RefusedException.ofMisuse(
          "no fs.defaultFS names an HDFS: give its address by -fs, as in -fs"
              + " hdfs://namenode:8020, or Hadoop's configuration by -conf or HADOOP_CONF_DIR");
    }
    String line =
        defaultFileSystem(uri, conf, problem, "give one by -fs, as in -fs hdfs://namenode:8020");
    return source.equals(COMMAND_LINE) ? RefusedException.ofMisuse(line) : new IOException(line);
  }

  /**
   * Creates a client of a configuration's default file system.
   *
   * @throws RefusedException when one of Hadoop's own properties has a wrong value, or the caller
   *     named no HDFS file system
   * @throws IOException when a configuration file names no HDFS, or its host is unknown
   */
  public static DistributedFileSystem open(Configuration conf) throws IOException {
    URI uri = FileSystem.getDefaultUri(conf);
    FileSystem found;
    try {
      found = FileSystem.newInstance(uri, conf);
    } catch (IOException | RuntimeException e) {
      Optional<String> mistake = HadoopSettings.mistake(e, conf);
      if (mistake.isPresent()) {
        throw new RefusedException(mistake.get(), e);
      }
      Optional<String> unknown = unknownHost(uri, conf, e);
      if (unknown.isPresent()) {
        throw new IOException(unknown.get(), e);
      }
      if (e instanceof UnsupportedFileSystemException) {
        throw notHdfs(uri, conf, NOT_HDFS);
      }
      if (uri.getAuthority() == null && HdfsConstants.HDFS_URI_SCHEME.equals(uri.getScheme())) {
        throw notHdfs(uri, conf, "it names no host");
      }
      if (!(e instanceof IllegalArgumentException)) {
        throw e;
      }
      throw new IOException(uri + " cannot be opened: " + e.getMessage(), e);
    }
    if (found instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    found.close();
    throw notHdfs(uri, conf, NOT_HDFS);
  }
}
