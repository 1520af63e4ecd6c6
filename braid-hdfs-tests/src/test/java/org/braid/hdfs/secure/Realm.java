package org.braid.hdfs.secure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.KOptions;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.client.KrbConfig;
import org.apache.kerby.kerberos.kerb.client.KrbOption;
import org.apache.kerby.kerberos.kerb.type.ticket.TgtTicket;
import org.braid.testing.Await;

/** A Kerberos realm of its own: a KDC in this process, its principals, keytabs and tickets. */
final class Realm implements AutoCloseable {
  /** The host of all principals of services. */
  static final String HOST = "localhost";

  private static final String KRB5_CONF = "java.security.krb5.conf";

  private final Path directory;
  private final MiniKdc kdc;

  private Realm(Path directory, MiniKdc kdc) {
    this.directory = directory;
    this.kdc = kdc;
  }

  /** Starts a KDC, which this JVM then uses. */
  static Realm start(Path directory) throws Exception {
    Files.createDirectories(directory);
    Properties properties = MiniKdc.createConf();
    properties.setProperty(MiniKdc.KDC_BIND_ADDRESS, HOST);
    MiniKdc kdc = new MiniKdc(properties, directory.toFile());
    kdc.start();
    Realm realm = new Realm(directory, kdc);
    System.setProperty(KRB5_CONF, realm.configuration("krb5.conf", "24h").toString());
    return realm;
  }

  /**
   * Writes a configuration of Kerberos for a process.
   *
   * @param lifetime of the tickets that it asks for
   */
  Path configuration(String name, String lifetime) throws IOException {
    Path file = directory.resolve(name);
    // An expired ticket is refused at once; usually clocks may differ by minutes.
    Files.writeString(
        file,
        """
        [libdefaults]
          default_realm = %1$s
          udp_preference_limit = 1
          clockskew = 1
          ticket_lifetime = %2$s
        [realms]
          %1$s = {
            kdc = %3$s:%4$d
          }
        """
            .formatted(kdc.getRealm(), lifetime, kdc.getHost(), kdc.getPort()));
    return file;
  }

  /** The full name of a principal. */
  String principal(String name) {
    return name + "@" + kdc.getRealm();
  }

  /** The keytab of principals, who are made known to the realm when first asked for. */
  synchronized Path keytab(String file, String... principals) throws Exception {
    Path keytab = directory.resolve(file);
    if (!Files.exists(keytab)) {
      kdc.createPrincipal(keytab.toFile(), principals);
    }
    return keytab;
  }

  /** The keytab of a user. */
  Path keytabOf(String user) throws Exception {
    return keytab(user.replace('/', '.') + ".keytab", user);
  }

  /** A user who has logged in. */
  UserGroupInformation user(String name) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        principal(name), keytabOf(name).toString());
  }

  /**
   * A cache of tickets as {@code kinit} leaves it.
   *
   * @param seconds until they expire
   */
  Path ticketCache(String name, int seconds) throws Exception {
    KrbClient client = new KrbClient(new KrbConfig());
    client.setKdcHost(kdc.getHost());
    client.setKdcRealm(kdc.getRealm());
    client.setAllowUdp(false);
    client.setKdcTcpPort(kdc.getPort());
    client.init();
    KOptions options = new KOptions();
    options.add(KrbOption.CLIENT_PRINCIPAL, principal(name));
    options.add(KrbOption.USE_KEYTAB, true);
    options.add(KrbOption.KEYTAB_FILE, keytabOf(name).toFile());
    options.add(KrbOption.LIFE_TIME, Integer.toString(seconds));
    TgtTicket ticket = client.requestTgt(options);
    Path cache = directory.resolve(name + ".cache");
    client.storeTicket(ticket, cache.toFile());
    return cache;
  }

  /** A cache of tickets of a user that have expired. */
  synchronized Path expiredTicketCache(String name) throws Exception {
    Path expired = directory.resolve(name + ".expired");
    if (!Files.exists(expired)) {
      // A KDC gives none for less.
      int life = 5;
      Files.move(ticketCache(name, life), expired);
      Instant end = Instant.now().plusSeconds(life + 1);
      Await.until("a ticket to expire", () -> Instant.now().isAfter(end));
    }
    return expired;
  }

  @Override
  public void close() {
    kdc.stop();
    System.clearProperty(KRB5_CONF);
  }
}
