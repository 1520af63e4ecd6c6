package org.braid.hdfs.client.contract;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractLeaseRecoveryTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractMultipartUploaderTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractPathHandleTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractRootDirectoryTest;
import org.apache.hadoop.fs.contract.AbstractContractSafeModeTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.hadoop.HadoopVersion;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's contract tests on files as they are written. Those of enclosing roots are left out:
 * HDFS's own client fails them, it does not qualify the root.
 */
@EnabledIf(
    value = "areForThisJUnit",
    disabledReason = "Hadoop 3.4's tests are for an older JUnit: neither they nor their set-up run")
final class FileSystemContractTest {
  private static ContractBed bed;
  private static FileSystem people;

  static boolean areForThisJUnit() {
    return HadoopVersion.parse(VersionInfo.getVersion()).compareTo(HadoopVersion.NEWEST) >= 0;
  }

  @BeforeAll
  static void start(@TempDir Path temporary) throws Exception {
    bed =
        new ContractBed(
            new EmbeddedSettings(3, 3, 32 << 10, temporary, Map.of()), BraidFileSystem.class);
    PrivilegedExceptionAction<FileSystem> client = () -> bed.client(Map.of());
    people =
        UserGroupInformation.createUserForTesting("somebody", new String[] {"people"}).doAs(client);
  }

  @AfterAll
  static void stop() throws IOException {
    people.close();
    bed.close();
  }

  @Nested
  class Append extends AbstractContractAppendTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class BulkDelete extends AbstractContractBulkDeleteTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Concat extends AbstractContractConcatTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class ContentSummary extends AbstractContractContentSummaryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class CopyFromLocal extends AbstractContractCopyFromLocalTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Create extends AbstractContractCreateTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Delete extends AbstractContractDeleteTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class GetFileStatus extends AbstractContractGetFileStatusTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class LeaseRecovery extends AbstractContractLeaseRecoveryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Mkdir extends AbstractContractMkdirTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Open extends AbstractContractOpenTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class PathHandle extends AbstractContractPathHandleTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Rename extends AbstractContractRenameTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class RootDirectory extends AbstractContractRootDirectoryTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class SafeMode extends AbstractContractSafeModeTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Seek extends AbstractContractSeekTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class SetTimes extends AbstractContractSetTimesTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class MultipartUploader extends AbstractContractMultipartUploaderTest {
    @Override
    protected int partSizeInBytes() {
      return 1024;
    }

    @Override
    protected boolean finalizeConsumesUploadIdImmediately() {
      return true;
    }

    @Override
    protected boolean supportsConcurrentUploadsToSamePath() {
      return true;
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class VectoredRead extends AbstractContractVectoredReadTest {
    VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return bed.contract(conf);
    }
  }

  @Nested
  class Basics extends FileSystemContractBaseTest {
    @BeforeEach
    void setUp() throws IOException {
      fs = bed.client(Map.of(FsPermission.UMASK_LABEL, TEST_UMASK));
    }

    @Override
    @AfterEach
    public void tearDown() throws Exception {
      super.tearDown();
      fs.close();
    }

    @Override
    protected String getDefaultWorkingDirectory() {
      return fs.getHomeDirectory().toUri().getPath();
    }
  }

  /** By a user whom permissions bind. */
  @Nested
  class MainOperations extends FSMainOperationsBaseTest {
    MainOperations() {
      super("/main/operations");
    }

    @Override
    protected FileSystem createFileSystem() throws IOException {
      var directory = new org.apache.hadoop.fs.Path("/main");
      bed.fs.mkdirs(directory);
      bed.fs.setPermission(directory, new FsPermission((short) 0777));
      return people;
    }

    /** Asks for a path below a file; HDFS tells its superuser alone that there is none. */
    @Override
    @Test
    public void testMkdirsFailsForSubdirectoryOfExistingFile() throws Exception {
      assertThrows(
          AccessControlException.class, super::testMkdirsFailsForSubdirectoryOfExistingFile);
    }

    @Override
    protected IOException unwrapException(IOException e) {
      return unwrapped(e);
    }
  }

  @Nested
  class ContextMainOperations extends FileContextMainOperationsBaseTest {
    @Override
    protected FileContextTestHelper createFileContextHelper() {
      return new FileContextTestHelper("/context");
    }

    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc = bed.context();
      super.setUp();
    }

    @Override
    protected IOException unwrapException(IOException e) {
      return unwrapped(e);
    }

    @Override
    protected boolean listCorruptedBlocksSupported() {
      return true;
    }
  }

  @Nested
  class ContextCreateMkdir extends FileContextCreateMkdirBaseTest {
    @Override
    protected FileContextTestHelper createFileContextHelper() {
      return new FileContextTestHelper("/create");
    }

    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc = bed.context();
      super.setUp();
    }
  }

  @Nested
  class ContextPermissions extends FileContextPermissionBase {
    @Override
    protected FileContextTestHelper getFileContextHelper() {
      return new FileContextTestHelper("/permissions");
    }

    @Override
    protected FileContext getFileContext() throws Exception {
      return bed.context();
    }
  }

  @Nested
  class ContextUtil extends FileContextUtilBase {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc = bed.context();
      super.setUp();
    }
  }

  @Nested
  class ContextUris extends FileContextURIBase {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc1 = bed.context();
      fc2 = bed.context();
      super.setUp();
    }
  }

  private static IOException unwrapped(IOException e) {
    return e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
  }
}
